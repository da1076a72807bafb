import { isSamePointer } from "@gatehouse/apiserver/objects";
import type { KindRules } from "@gatehouse/apiserver/registry";
import {
  checkFormat,
  checkImmutable,
  checkLabelSelector,
  checkNonnegativeQuantity,
  type FieldErrors,
  FieldPath,
  goLabelSelector,
  immutable,
  isValidLabelSelector,
  type LabelSelectorOptions,
} from "@gatehouse/apiserver/validation";
import { isSet, type JsonObject, textAt } from "@gatehouse/envelopes/json";
import { checkSubdomainName } from "@gatehouse/envelopes/validation";

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
