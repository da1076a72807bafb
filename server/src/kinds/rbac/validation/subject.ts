import {
  type FieldErrors,
  type FieldPath,
  validateFormat,
  validateRequiredText,
  validateSupported,
} from "@gatehouse/apiserver/validation";
import { type JsonValue, textAt } from "@gatehouse/envelopes/json";
import { validateSubdomainName } from "@gatehouse/envelopes/validation";

/** The API group of roles, users and groups. */
export const rbacGroup = "rbac.authorization.k8s.io";

/** Validates a subject of a binding. In a binding without a namespace, a service account must name its own. */
export function validateSubject(subject: JsonValue, path: FieldPath, errors: FieldErrors, namespaced: boolean): void {
  const name = textAt(subject, "name");
  validateRequiredText(name, path.child("name"), errors);
  const kind = textAt(subject, "kind");
  const group = textAt(subject, "apiGroup");
  switch (kind) {
    case "ServiceAccount":
      if (name !== "") {
        validateFormat(name, validateSubdomainName, path.child("name"), errors);
      }
      validateSupported(group, [""], path.child("apiGroup"), errors);
      if (!namespaced) {
        validateRequiredText(textAt(subject, "namespace"), path.child("namespace"), errors);
      }
      break;
    case "User":
    case "Group":
      validateSupported(group, [rbacGroup], path.child("apiGroup"), errors);
      break;
    default:
      errors.notSupported(path.child("kind"), kind, ["ServiceAccount", "User", "Group"]);
  }
}
