import { admissionregistrationTables } from "./admissionregistration.js";
import { appsTables } from "./apps.js";
import { autoscalingTables } from "./autoscaling.js";
import { batchTables } from "./batch.js";
import { certificatesTables } from "./certificates.js";
import { coreClusterTables } from "./core-cluster.js";
import { coreConfigTables } from "./core-config.js";
import { coreNetworkTables } from "./core-network.js";
import { coreStorageTables } from "./core-storage.js";
import { coreWorkloadTables } from "./core-workloads.js";
import { defaultTable } from "./default-table.js";
import { discoveryTables } from "./discovery.js";
import { coreEventTables, eventTables } from "./events.js";
import { flowcontrolTables } from "./flowcontrol.js";
import { networkingTables } from "./networking.js";
import { policyTables } from "./policy.js";
import { rbacTables } from "./rbac.js";
import { resourceTables } from "./resource.js";
import {
  apiregistrationTables,
  coordinationTables,
  internalTables,
  metaTables,
  nodeTables,
  schedulingTables,
} from "./small-groups.js";
import { storageTables } from "./storage.js";
import type { TableDefinition } from "./table-definition.js";

const tablesByGroup: ReadonlyMap<string, Readonly<Record<string, TableDefinition>>> = new Map([
  [
    "",
    {
      ...coreClusterTables,
      ...coreConfigTables,
      ...coreEventTables,
      ...coreNetworkTables,
      ...coreStorageTables,
      ...coreWorkloadTables,
    },
  ],
  ["admissionregistration.k8s.io", admissionregistrationTables],
  ["apiregistration.k8s.io", apiregistrationTables],
  ["apps", appsTables],
  ["autoscaling", autoscalingTables],
  ["batch", batchTables],
  ["certificates.k8s.io", certificatesTables],
  ["coordination.k8s.io", coordinationTables],
  ["discovery.k8s.io", discoveryTables],
  ["events.k8s.io", eventTables],
  ["flowcontrol.apiserver.k8s.io", flowcontrolTables],
  ["internal.apiserver.k8s.io", internalTables],
  ["meta.k8s.io", metaTables],
  ["networking.k8s.io", networkingTables],
  ["node.k8s.io", nodeTables],
  ["policy", policyTables],
  ["rbac.authorization.k8s.io", rbacTables],
  ["resource.k8s.io", resourceTables],
  ["scheduling.k8s.io", schedulingTables],
  ["storage.k8s.io", storageTables],
]);

/**
 * The table of a built-in kind; Name and Created At for kinds that have none of their own. The cells are taken from an
 * object in any version that the server serves.
 */
export function tableDefinitionFor(group: string, kind: string): TableDefinition {
  const tables = tablesByGroup.get(group);
  return tables !== undefined && Object.hasOwn(tables, kind) ? (tables[kind] ?? defaultTable) : defaultTable;
}
