import { defineResources, type ResourceDefinition } from "@gatehouse/apiserver/registry";
import { bindingDefinition } from "./binding.js";
import { componentStatusDefinition } from "./component-status/definition.js";
import { configMapDefinition } from "./config-map/definition.js";
import { endpointsDefinition } from "./endpoints/definition.js";
import { eventDefinition } from "./event/definition.js";
import { limitRangeDefinition } from "./limit-range/definition.js";
import { namespaceDefinition } from "./namespace/definition.js";
import { nodeDefinition } from "./node/definition.js";
import { persistentVolumeDefinition } from "./persistent-volume/definition.js";
import { persistentVolumeClaimDefinition } from "./persistent-volume-claim/definition.js";
import { podDefinition } from "./pod/definition.js";
import { podTemplateDefinition } from "./pod-template/definition.js";
import { replicationControllerDefinition } from "./replication-controller/definition.js";
import { resourceQuotaDefinition } from "./resource-quota/definition.js";
import { secretDefinition } from "./secret/definition.js";
import { serviceDefinition } from "./service/definition.js";
import { serviceAccountDefinition } from "./service-account/definition.js";

/** The resources of the core group. */
export const coreResources: readonly ResourceDefinition[] = defineResources("", "v1", [
  bindingDefinition,
  componentStatusDefinition,
  configMapDefinition,
  endpointsDefinition,
  eventDefinition,
  limitRangeDefinition,
  namespaceDefinition,
  nodeDefinition,
  persistentVolumeClaimDefinition,
  persistentVolumeDefinition,
  podDefinition,
  podTemplateDefinition,
  replicationControllerDefinition,
  resourceQuotaDefinition,
  secretDefinition,
  serviceAccountDefinition,
  serviceDefinition,
]);
