import { defineResources, type ResourceDefinition } from "@gatehouse/apiserver/registry";
import { controllerRevisionRow } from "./controller-revision/definition.js";
import { daemonSetRow } from "./daemon-set/definition.js";
import { deploymentRow } from "./deployment/definition.js";
import { replicaSetRow } from "./replica-set/definition.js";
import { statefulSetRow } from "./stateful-set/definition.js";

/** The resources of apps: workloads. */
export const appsResources: readonly ResourceDefinition[] = defineResources("apps", "v1", [
  controllerRevisionRow,
  daemonSetRow,
  deploymentRow,
  replicaSetRow,
  statefulSetRow,
]);
