import type { KindValidation } from "@gatehouse/apiserver/registry";
import {
  type FieldErrors,
  FieldPath,
  goLabelSelector,
  immutable,
  isValidLabelSelector,
  type LabelSelectorOptions,
  validateFormat,
  validateImmutable,
  validateLabelSelector,
  validateNonnegativeQuantity,
} from "@gatehouse/apiserver/validation";
import { isSamePointer } from "@gatehouse/envelopes/go";
import { isSet, type JsonObject, textAt } from "@gatehouse/envelopes/json";
import { validateSubdomainName } from "@gatehouse/envelopes/validation";

const nodeTopologyPath = FieldPath.of("nodeTopology");
const storageClassNamePath = FieldPath.of("storageClassName");

/** Rules of CSIStorageCapacity, whose class and node topology do not change. */
export const csiStorageCapacityValidation: KindValidation = {
  create: (capacity, errors) => validateCapacity(capacity, errors, {}),
  update(capacity, old, errors) {
    errors.recheckMetadata("object");
    validateCapacity(capacity, errors, { allowInvalidValues: !isValidLabelSelector(old["nodeTopology"]) });
    errors.recheckMetadata("change");
    if (!isSamePointer(capacity["nodeTopology"], old["nodeTopology"])) {
      errors.invalidShown(nodeTopologyPath, goLabelSelector(capacity["nodeTopology"]), immutable);
    }
    const className = textAt(capacity, "storageClassName");
    validateImmutable(className, textAt(old, "storageClassName"), storageClassNamePath, errors);
  },
};

function validateCapacity(capacity: JsonObject, errors: FieldErrors, options: LabelSelectorOptions): void {
  validateLabelSelector(capacity["nodeTopology"], nodeTopologyPath, errors, options);
  validateFormat(textAt(capacity, "storageClassName"), validateSubdomainName, storageClassNamePath, errors);
  if (isSet(capacity, "capacity")) {
    validateNonnegativeQuantity(capacity["capacity"], FieldPath.of("capacity"), errors);
  }
}
