import type { ResourceDefinition } from "../../catalogue/resource-definition.js";
import { defineResources } from "../define-resource.js";
import { leaseRow } from "./lease/definition.js";

/** The resources of coordination.k8s.io: leases. */
export const coordinationResources: readonly ResourceDefinition[] = defineResources("coordination.k8s.io", "v1", [
  leaseRow,
]);
