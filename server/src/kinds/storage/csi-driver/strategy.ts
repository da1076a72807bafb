import { generationOf, type KindStrategy } from "@gatehouse/apiserver/registry";
import { csiDriverValidation } from "./validation.js";

/**
 * The strategy of CSIDriver, which got its generation late: some changes are counted, but nothing sets the first one.
 */
export const csiDriverStrategy: KindStrategy = {
  validation: csiDriverValidation,
  metadata: { rechecks: ["change"] },
  generation: {
    // The storage capacity can change, too, but is not counted.
    ...generationOf("spec.tokenRequests", "spec.requiresRepublish", "spec.seLinuxMount"),
    // A new driver keeps the generation that its creator has sent, or has none.
    begin: () => undefined,
  },
  update: { allowUnconditionalUpdate: false },
  deletion: { returnsDeletedObject: true },
};
