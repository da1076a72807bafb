import type { KindDefinition } from "@gatehouse/apiserver/registry";
import { guardRole } from "./escalation/role-guard.js";
import { roleValidation } from "./validation/roles.js";

/** The definition of Role, granted in its namespace. */
export const roleDefinition: KindDefinition = {
  resource: "roles",
  kind: "Role",
  namespaced: true,
  metadataRechecks: "inValidation",
  storageVersionHash: "7FuwZcIIItM=",
  nameFormat: "pathSegment",
  allowCreateOnUpdate: true,
  guard: guardRole,
  validation: roleValidation,
};
