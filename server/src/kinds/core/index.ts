import { defineResources, type ResourceDefinition } from "@gatehouse/apiserver/registry";
import { bindingRow } from "./binding.js";
import { componentStatusRow } from "./component-status/definition.js";
import { configMapRow } from "./config-map/definition.js";
import { endpointsRow } from "./endpoints/definition.js";
import { eventRow } from "./event/definition.js";
import { limitRangeRow } from "./limit-range/definition.js";
import { namespaceRow } from "./namespace/definition.js";
import { nodeRow } from "./node/definition.js";
import { persistentVolumeRow } from "./persistent-volume/definition.js";
import { persistentVolumeClaimRow } from "./persistent-volume-claim/definition.js";
import { podRow } from "./pod/definition.js";
import { podTemplateRow } from "./pod-template/definition.js";
import { replicationControllerRow } from "./replication-controller/definition.js";
import { resourceQuotaRow } from "./resource-quota/definition.js";
import { secretRow } from "./secret/definition.js";
import { serviceRow } from "./service/definition.js";
import { serviceAccountRow } from "./service-account/definition.js";

/** The resources of the core group. */
export const coreResources: readonly ResourceDefinition[] = defineResources("", "v1", [
  bindingRow,
  componentStatusRow,
  configMapRow,
  endpointsRow,
  eventRow,
  limitRangeRow,
  namespaceRow,
  nodeRow,
  persistentVolumeClaimRow,
  persistentVolumeRow,
  podRow,
  podTemplateRow,
  replicationControllerRow,
  resourceQuotaRow,
  secretRow,
  serviceAccountRow,
  serviceRow,
]);
