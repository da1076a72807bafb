import {
  type FieldErrors,
  type FieldPath,
  validateFormat,
  validateRequiredText,
} from "@gatehouse/apiserver/validation";
import { isSet, type JsonValue, textAt, valueAt } from "@gatehouse/envelopes/json";
import { validateDns1123Label, validateSubdomainName } from "@gatehouse/envelopes/validation";

/** Names of the member of each kind of subject, in the order in which v1.29 forbids the others. */
const members: Readonly<Record<string, string>> = { ServiceAccount: "serviceAccount", User: "user", Group: "group" };

/** Validates a subject: it has the member that its kind names, and no other. */
export function validateSubject(subject: JsonValue, path: FieldPath, errors: FieldErrors): void {
  const kind = textAt(subject, "kind");
  const member = Object.hasOwn(members, kind) ? members[kind] : undefined;
  if (member === undefined) {
    errors.notSupported(path.child("kind"), kind, ["Group", "ServiceAccount", "User"]);
    return;
  }
  if (!isSet(subject, member)) {
    errors.required(path.child(member), `${member} is required when subject kind is '${kind}'`);
  } else if (member === "serviceAccount") {
    validateServiceAccount(valueAt(subject, member), path.child(member), errors);
  } else {
    validateRequiredText(textAt(subject, member, "name"), path.child(member).child("name"), errors);
  }
  for (const [otherKind, other] of Object.entries(members)) {
    if (other !== member && isSet(subject, other)) {
      errors.forbidden(path.child(other), `${other} is forbidden when subject kind is not '${otherKind}'`);
    }
  }
}

function validateServiceAccount(account: JsonValue | undefined, path: FieldPath, errors: FieldErrors): void {
  const name = textAt(account, "name");
  if (validateRequiredText(name, path.child("name"), errors) && name !== "*") {
    validateFormat(name, validateSubdomainName, path.child("name"), errors);
  }
  const namespace = textAt(account, "namespace");
  if (validateRequiredText(namespace, path.child("namespace"), errors, "must specify namespace for service account")) {
    validateFormat(namespace, validateDns1123Label, path.child("namespace"), errors);
  }
}
