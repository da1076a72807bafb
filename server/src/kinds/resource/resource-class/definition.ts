import type { KindDefinition } from "@gatehouse/apiserver/registry";
import { resourceClassColumns } from "./columns.js";
import { resourceClassValidation } from "./validation.js";

/** The definition of ResourceClass, whose driver allocates resources (KEP-3063): alpha, so served only on request. */
export const resourceClassDefinition: KindDefinition = {
  resource: "resourceclasses",
  kind: "ResourceClass",
  namespaced: false,
  storageVersionHash: "wkt0Tpte++U=",
  servedByDefault: false,
  table: resourceClassColumns,
  strategy: {
    validation: resourceClassValidation,
    metadata: { rechecks: "inValidation" },
    deletion: { returnsDeletedObject: true },
  },
};
