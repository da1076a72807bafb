export {
  escapeFieldValue,
  type FieldRequirement,
  type FieldSelector,
  fieldLabelNotSupported,
  fieldSelectorOf,
  parseFieldSelector,
  resolveFieldLabels,
  type SelectableFields,
  unknownFieldSelector,
} from "./field-selector.js";
export {
  type LabelOperator,
  type LabelRequirement,
  type Labels,
  labelRequirement,
  parseInt64,
} from "./label-requirement.js";
export {
  type LabelSelector,
  type LabelSelectorExpression,
  type LabelSelectorObject,
  labelSelectorOf,
  matchNothing,
  parseLabelSelector,
} from "./label-selector.js";
