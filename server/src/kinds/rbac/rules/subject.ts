import type { FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { checkFormat, checkRequiredText, checkSupported } from "@gatehouse/apiserver/validation";
import { checkSubdomainName, type JsonValue, textAt } from "@gatehouse/envelopes";

/** The group of roles, users and groups. */
export const rbacGroup = "rbac.authorization.k8s.io";

/** To whom a role is bound. Where the binding has no namespace, that of a service account must be told. */
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
