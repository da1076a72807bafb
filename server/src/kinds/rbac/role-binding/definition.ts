import type { KindDefinition } from "@gatehouse/apiserver/registry";
import { guardBinding } from "../escalation/binding-guard.js";
import { roleBindingValidation } from "../validation/bindings.js";
import { roleBindingColumns } from "./columns.js";

/** The definition of RoleBinding, which grants a role in its namespace. */
export const roleBindingDefinition: KindDefinition = {
  resource: "rolebindings",
  kind: "RoleBinding",
  namespaced: true,
  metadataRechecks: "inValidation",
  storageVersionHash: "eGsCzGH6b1g=",
  nameFormat: "pathSegment",
  allowCreateOnUpdate: true,
  guard: guardBinding,
  table: roleBindingColumns,
  validation: roleBindingValidation,
};
