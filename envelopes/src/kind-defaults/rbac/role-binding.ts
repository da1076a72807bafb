import { type DefaultingFunction, type DefaultingFunctions, setIfZero } from "../../defaults/defaulting-function.js";
import { textAt } from "../../json/json-fields.js";
import { ownObject } from "../../json/own-members.js";

const rbacGroup = "rbac.authorization.k8s.io";

const roleBinding: DefaultingFunction = (binding) => {
  setIfZero(ownObject(binding, "roleRef"), "apiGroup", rbacGroup);
};

/**
 * Defaults of bindings: roles, users and groups belong to the group of RBAC; service accounts to the core group, which
 * has no name.
 */
export const roleBindingDefaults: DefaultingFunctions = {
  "k8s.io.api.rbac.v1.ClusterRoleBinding": roleBinding,
  "k8s.io.api.rbac.v1.RoleBinding": roleBinding,
  "k8s.io.api.rbac.v1.Subject"(subject) {
    const kind = textAt(subject, "kind");
    if (kind === "User" || kind === "Group") {
      setIfZero(subject, "apiGroup", rbacGroup);
    }
  },
};
