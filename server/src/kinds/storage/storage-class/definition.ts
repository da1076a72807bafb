import type { KindDefinition } from "@gatehouse/apiserver/registry";
import { storageClassColumns } from "./columns.js";
import { storageClassValidation } from "./validation.js";
import { storageClassWarnings } from "./warnings.js";

/** The definition of StorageClass, from which volumes are made. A deletion answers with the class. */
export const storageClassDefinition: KindDefinition = {
  resource: "storageclasses",
  kind: "StorageClass",
  namespaced: false,
  shortNames: ["sc"],
  storageVersionHash: "K+m6uJwbjGY=",
  table: storageClassColumns,
  strategy: {
    validation: storageClassValidation,
    warnings: storageClassWarnings,
    metadata: { rechecks: "inValidation" },
    deletion: { returnsDeletedObject: true },
  },
};
