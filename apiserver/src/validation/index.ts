export { FieldPath } from "@gatehouse/envelopes/validation";
export { hasBothFamilies, isStrictlyInside, parseCidr } from "../options/cidr.js";
export { parseIp } from "../options/ip-address.js";
export { validateConditions } from "./conditions.js";
export { validateDomainPrefixedPath } from "./domain-prefixed-path.js";
export { FieldErrors } from "./field-errors.js";
export {
  hostNameProblems,
  validateFullyQualifiedDomainName,
  validateHostNameOfStatus,
  validateNoAddress,
} from "./host-name.js";
export { immutable, isSameMessage, validateImmutable, validateImmutableMessage } from "./immutable.js";
export { goIntOrString, intOrPercentOf, validateAtMost100Percent, validateIntOrPercent } from "./int-or-percent.js";
export { ipProblems, validateOrdinaryIp } from "./ip-address.js";
export {
  goLabelSelector,
  hasInvalidLabelValue,
  isEmptySelector,
  isValidLabelSelector,
  type LabelSelectorOptions,
  selectsLabels,
  validateLabelSelector,
} from "./label-selector.js";
export { validateAnnotations, validateLabels } from "./labels.js";
export {
  validateFormat,
  validateLabelText,
  validateQualifiedText,
  validateRequiredSupported,
  validateRequiredText,
  validateSubdomainText,
  validateSupported,
} from "./names.js";
export {
  isNumber,
  maxInt32,
  notNegative,
  rangeText,
  validateFileMode,
  validateNonnegative,
  validateNonnegativeMembers,
  validateRange,
} from "./numbers.js";
export {
  isWhole,
  quantityOf,
  textOf,
  validateBasicQuantity,
  validateNonnegativeQuantity,
  validatePositiveQuantity,
} from "./quantities.js";
export { validateWebhookClientConfig } from "./webhook-client.js";
