import type { KindDefinition } from "@gatehouse/apiserver/registry";
import { validatePathSegmentName } from "@gatehouse/envelopes/validation";
import { guardBinding } from "../escalation/binding-guard.js";
import { roleBindingValidation } from "../validation/bindings.js";
import { roleBindingColumns } from "./columns.js";

/** The definition of RoleBinding, which grants a role in its namespace. */
export const roleBindingDefinition: KindDefinition = {
  resource: "rolebindings",
  kind: "RoleBinding",
  namespaced: true,
  storageVersionHash: "eGsCzGH6b1g=",
  table: roleBindingColumns,
  strategy: {
    validation: roleBindingValidation,
    metadata: { rechecks: "inValidation", validateName: validatePathSegmentName },
    create: { authorize: guardBinding },
    update: { allowCreateOnUpdate: true, authorize: guardBinding },
  },
};
