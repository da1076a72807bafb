import type { ResourceRow } from "@gatehouse/apiserver/registry";
import { guardRole } from "./escalation/role-guard.js";
import { roleRules } from "./rules/roles.js";

/** The definition of Role, granted in its namespace. */
export const roleRow: ResourceRow = {
  resource: "roles",
  kind: "Role",
  namespaced: true,
  metadataRechecks: "inRules",
  storageVersionHash: "7FuwZcIIItM=",
  nameRule: "pathSegment",
  allowCreateOnUpdate: true,
  guard: guardRole,
  rules: roleRules,
};
