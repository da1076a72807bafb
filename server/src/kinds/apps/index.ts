import { defineResources, type ResourceDefinition } from "@gatehouse/apiserver/registry";
import { controllerRevisionDefinition } from "./controller-revision/definition.js";
import { daemonSetDefinition } from "./daemon-set/definition.js";
import { deploymentDefinition } from "./deployment/definition.js";
import { replicaSetDefinition } from "./replica-set/definition.js";
import { statefulSetDefinition } from "./stateful-set/definition.js";

/** The resources of apps: workloads. */
export const appsResources: readonly ResourceDefinition[] = defineResources("apps", "v1", [
  controllerRevisionDefinition,
  daemonSetDefinition,
  deploymentDefinition,
  replicaSetDefinition,
  statefulSetDefinition,
]);
