import type { ResourceRow } from "@gatehouse/apiserver/registry";
import { guardBinding } from "../escalation/binding-guard.js";
import { roleBindingRules } from "../rules/bindings.js";
import { roleBindingTable } from "./columns.js";

/** The definition of RoleBinding, which grants a role in its namespace. */
export const roleBindingRow: ResourceRow = {
  resource: "rolebindings",
  kind: "RoleBinding",
  namespaced: true,
  metadataRechecks: "inRules",
  storageVersionHash: "eGsCzGH6b1g=",
  nameRule: "pathSegment",
  allowCreateOnUpdate: true,
  guard: guardBinding,
  table: roleBindingTable,
  rules: roleBindingRules,
};
