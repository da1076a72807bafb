import { goStruct } from "@gatehouse/apiserver/go";
import type { KindRules } from "@gatehouse/apiserver/registry";
import {
  checkFormat,
  checkRequiredText,
  checkSupported,
  type FieldErrors,
  FieldPath,
} from "@gatehouse/apiserver/validation";
import { type JsonObject, listAt, textAt } from "@gatehouse/envelopes/json";
import { goQuote } from "@gatehouse/envelopes/status";
import { checkPathSegmentName } from "@gatehouse/envelopes/validation";
import { checkSubject, rbacGroup } from "./subject.js";

const roleRef = FieldPath.of("roleRef");
const subjects = FieldPath.of("subjects");

/** Rules of RoleBinding, which may bind a Role or a ClusterRole. */
export const roleBindingRules: KindRules = bindingRules(["Role", "ClusterRole"], true);

/** Rules of ClusterRoleBinding. */
export const clusterRoleBindingRules: KindRules = bindingRules(["ClusterRole"], false);

/**
 * Returns the rules of bindings. v1.29 lists every error of an update twice. The role never changes: a user who could
 * change it could gain any rights.
 */
function bindingRules(roleKinds: readonly string[], namespaced: boolean): KindRules {
  const check = (binding: JsonObject, errors: FieldErrors) => checkBinding(binding, errors, roleKinds, namespaced);
  return {
    create: check,
    update(binding, old, errors) {
      errors.recheckMetadata("object");
      check(binding, errors);
      errors.recheckMetadata("object");
      check(binding, errors);
      errors.recheckMetadata("change");
      if (["apiGroup", "kind", "name"].some((name) => roleRefText(binding, name) !== roleRefText(old, name))) {
        errors.invalidShown(roleRef, goRoleRef(binding), "cannot change roleRef");
      }
    },
  };
}

function checkBinding(
  binding: JsonObject,
  errors: FieldErrors,
  roleKinds: readonly string[],
  namespaced: boolean,
): void {
  checkSupported(roleRefText(binding, "apiGroup"), [rbacGroup], roleRef.child("apiGroup"), errors);
  checkSupported(roleRefText(binding, "kind"), roleKinds, roleRef.child("kind"), errors);
  const name = roleRefText(binding, "name");
  if (checkRequiredText(name, roleRef.child("name"), errors)) {
    checkFormat(name, checkPathSegmentName, roleRef.child("name"), errors);
  }
  for (const [index, subject] of listAt(binding, "subjects").entries()) {
    if (errors.isFull) {
      return;
    }
    checkSubject(subject, subjects.index(index), errors, namespaced);
  }
}

function roleRefText(binding: JsonObject, name: string): string {
  return textAt(binding, "roleRef", name);
}

function goRoleRef(binding: JsonObject): string {
  return goStruct("rbac.RoleRef", {
    APIGroup: goQuote(roleRefText(binding, "apiGroup")),
    Kind: goQuote(roleRefText(binding, "kind")),
    Name: goQuote(roleRefText(binding, "name")),
  });
}
