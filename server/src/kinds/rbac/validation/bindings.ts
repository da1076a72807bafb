import type { KindValidation } from "@gatehouse/apiserver/registry";
import {
  type FieldErrors,
  FieldPath,
  validateFormat,
  validateRequiredText,
  validateSupported,
} from "@gatehouse/apiserver/validation";
import { goLiteral, goQuote } from "@gatehouse/envelopes/go";
import { type JsonObject, listAt, textAt } from "@gatehouse/envelopes/json";
import { validatePathSegmentName } from "@gatehouse/envelopes/validation";
import { rbacGroup, validateSubject } from "./subject.js";

const roleRef = FieldPath.of("roleRef");
const subjects = FieldPath.of("subjects");

/** Rules of RoleBinding, which may bind a Role or a ClusterRole. */
export const roleBindingValidation: KindValidation = bindingValidation(["Role", "ClusterRole"], true);

/** Rules of ClusterRoleBinding. */
export const clusterRoleBindingValidation: KindValidation = bindingValidation(["ClusterRole"], false);

/**
 * Returns the rules of bindings. v1.29 lists every error of an update twice. The role never changes: a user who could
 * change it could gain any rights.
 */
function bindingValidation(roleKinds: readonly string[], namespaced: boolean): KindValidation {
  const check = (binding: JsonObject, errors: FieldErrors) => validateBinding(binding, errors, roleKinds, namespaced);
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

function validateBinding(
  binding: JsonObject,
  errors: FieldErrors,
  roleKinds: readonly string[],
  namespaced: boolean,
): void {
  validateSupported(roleRefText(binding, "apiGroup"), [rbacGroup], roleRef.child("apiGroup"), errors);
  validateSupported(roleRefText(binding, "kind"), roleKinds, roleRef.child("kind"), errors);
  const name = roleRefText(binding, "name");
  if (validateRequiredText(name, roleRef.child("name"), errors)) {
    validateFormat(name, validatePathSegmentName, roleRef.child("name"), errors);
  }
  for (const [index, subject] of listAt(binding, "subjects").entries()) {
    if (errors.isFull) {
      return;
    }
    validateSubject(subject, subjects.index(index), errors, namespaced);
  }
}

function roleRefText(binding: JsonObject, name: string): string {
  return textAt(binding, "roleRef", name);
}

function goRoleRef(binding: JsonObject): string {
  return goLiteral("rbac.RoleRef", {
    APIGroup: goQuote(roleRefText(binding, "apiGroup")),
    Kind: goQuote(roleRefText(binding, "kind")),
    Name: goQuote(roleRefText(binding, "name")),
  });
}
