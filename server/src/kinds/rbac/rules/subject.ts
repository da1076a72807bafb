import {
  checkFormat,
  checkRequiredText,
  checkSupported,
  type FieldErrors,
  type FieldPath,
} from "@gatehouse/apiserver/validation";
import { type JsonValue, textAt } from "@gatehouse/envelopes/json";
import { checkSubdomainName } from "@gatehouse/envelopes/validation";

/** The API group of roles, users and groups. */
export const rbacGroup = "rbac.authorization.k8s.io";

/** Validates a subject of a binding. In a binding without a namespace, a service account must name its own. */
export function checkSubject(subject: JsonValue, path: FieldPath, errors: FieldErrors, namespaced: boolean): void {
  const name = textAt(subject, "name");
  checkRequiredText(name, path.child("name"), errors);
  const kind = textAt(subject, "kind");
  const group = textAt(subject, "apiGroup");
  switch (kind) {
    case "ServiceAccount":
      if (name !== "") {
        checkFormat(name, checkSubdomainName, path.child("name"), errors);
      }
      checkSupported(group, [""], path.child("apiGroup"), errors);
      if (!namespaced) {
        checkRequiredText(textAt(subject, "namespace"), path.child("namespace"), errors);
      }
      break;
    case "User":
    case "Group":
      checkSupported(group, [rbacGroup], path.child("apiGroup"), errors);
      break;
    default:
      errors.notSupported(path.child("kind"), kind, ["ServiceAccount", "User", "Group"]);
  }
}
