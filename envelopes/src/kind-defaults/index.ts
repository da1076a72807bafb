import type { DefaultingFunctions } from "../defaults/defaulting-function.js";
import { customResourceDefinitionDefaults } from "./apiextensions/custom-resource-definition.js";
import { daemonSetDefaults } from "./apps/daemon-set.js";
import { deploymentDefaults } from "./apps/deployment.js";
import { replicaSetDefaults } from "./apps/replica-set.js";
import { statefulSetDefaults } from "./apps/stateful-set.js";
import { horizontalPodAutoscalerDefaults } from "./autoscaling/horizontal-pod-autoscaler.js";
import { cronJobDefaults } from "./batch/cron-job.js";
import { jobDefaults } from "./batch/job.js";
import { limitRangeDefaults } from "./core/limit-range.js";
import { namespaceDefaults } from "./core/namespace.js";
import { nodeDefaults } from "./core/node.js";
import { persistentVolumeDefaults } from "./core/persistent-volume.js";
import { persistentVolumeClaimDefaults } from "./core/persistent-volume-claim.js";
import { podDefaults } from "./core/pod.js";
import { replicationControllerDefaults } from "./core/replication-controller.js";
import { secretDefaults } from "./core/secret.js";
import { serviceDefaults } from "./core/service.js";
import { priorityLevelConfigurationDefaults } from "./flowcontrol/priority-level-configuration.js";
import { ingressClassDefaults } from "./networking/ingress-class.js";
import { networkPolicyDefaults } from "./networking/network-policy.js";
import { roleBindingDefaults } from "./rbac/role-binding.js";
import { csiDriverDefaults } from "./storage/csi-driver.js";

/** Computed defaults of built-in kinds, besides the constants in their schemas; by full message name. */
export const builtinDefaultingFunctions: DefaultingFunctions = {
  ...customResourceDefinitionDefaults,
  ...daemonSetDefaults,
  ...deploymentDefaults,
  ...replicaSetDefaults,
  ...statefulSetDefaults,
  ...horizontalPodAutoscalerDefaults,
  ...cronJobDefaults,
  ...jobDefaults,
  ...limitRangeDefaults,
  ...namespaceDefaults,
  ...nodeDefaults,
  ...persistentVolumeDefaults,
  ...persistentVolumeClaimDefaults,
  ...podDefaults,
  ...replicationControllerDefaults,
  ...secretDefaults,
  ...serviceDefaults,
  ...priorityLevelConfigurationDefaults,
  ...ingressClassDefaults,
  ...networkPolicyDefaults,
  ...roleBindingDefaults,
  ...csiDriverDefaults,
};

export { templateGenerationAnnotation } from "./apps/template-generation.js";
export { defaultScaleDownRules, defaultScaleUpRules } from "./autoscaling/scaling-behavior.js";
export { preserveZeroSharesAnnotation } from "./flowcontrol/zero-shares.js";
