import { checkSubdomainName, isSet, type JsonObject, textAt } from "@gatehouse/envelopes";
import type { KindRules } from "../../../catalogue/resource-definition.js";
import { isSamePointer } from "../../../objects/is-same-state.js";
import type { FieldErrors } from "../../../rules/field-errors.js";
import { FieldPath } from "../../../rules/field-path.js";
import { checkImmutable, immutable } from "../../../rules/immutable.js";
import {
  checkLabelSelector,
  goLabelSelector,
  isValidLabelSelector,
  type LabelSelectorOptions,
} from "../../../rules/label-selector.js";
import { checkFormat } from "../../../rules/names.js";
import { checkNonnegativeQuantity } from "../../../rules/quantities.js";

const nodeTopologyPath = FieldPath.of("nodeTopology");
const storageClassNamePath = FieldPath.of("storageClassName");

/** Rules of CSIStorageCapacity, whose class and node topology do not change. */
export const csiStorageCapacityRules: KindRules = {
  create: (capacity, errors) => checkCapacity(capacity, errors, {}),
  update(capacity, old, errors) {
    errors.recheckMetadata("object");
    checkCapacity(capacity, errors, { allowInvalidValues: !isValidLabelSelector(old["nodeTopology"]) });
    errors.recheckMetadata("change");
    if (!isSamePointer(capacity["nodeTopology"], old["nodeTopology"])) {
      errors.invalidShown(nodeTopologyPath, goLabelSelector(capacity["nodeTopology"]), immutable);
    }
    const className = textAt(capacity, "storageClassName");
    checkImmutable(className, textAt(old, "storageClassName"), storageClassNamePath, errors);
  },
};

function checkCapacity(capacity: JsonObject, errors: FieldErrors, options: LabelSelectorOptions): void {
  checkLabelSelector(capacity["nodeTopology"], nodeTopologyPath, errors, options);
  checkFormat(textAt(capacity, "storageClassName"), checkSubdomainName, storageClassNamePath, errors);
  if (isSet(capacity, "capacity")) {
    checkNonnegativeQuantity(capacity["capacity"], FieldPath.of("capacity"), errors);
  }
}
