import type { ResourceStrategy } from "@gatehouse/apiserver/registry";

/**
 * The strategy of CSIDriver, which got its generation late: some changes are counted, but nothing sets the first one.
 */
export const csiDriverStrategy: ResourceStrategy = {
  // The storage capacity can change, too, but is not counted.
  desiredState: ["spec.tokenRequests", "spec.requiresRepublish", "spec.seLinuxMount"],
};
