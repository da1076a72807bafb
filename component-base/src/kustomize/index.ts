export { kustomizeBase } from "./kustomize-base.js";
export {
  type Account,
  clusterRights,
  clusterRoleBinding,
  namespacedRights,
  roleBinding,
  serviceAccount,
} from "./rbac.js";
export { type Rotation, rotationJobs, rotationRights, rotator } from "./rotation.js";
export {
  disruptionBudget,
  podLabels,
  restrictedContainer,
  type ServedProgram,
  service,
  servingArguments,
  servingContainer,
  servingFolder,
  servingPort,
  servingSecret,
  servingVolume,
} from "./workload.js";
