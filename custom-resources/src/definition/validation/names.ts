import type { FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { type JsonObject, listAt, textAt } from "@gatehouse/envelopes/json";
import { validateDns1035Label } from "@gatehouse/envelopes/validation";

/** Validates names in a spec or in a status; absent ones are valid. */
export function validateNames(names: JsonObject, path: FieldPath, errors: FieldErrors): void {
  for (const member of ["plural", "singular"]) {
    validateLabel(textAt(names, member), path.child(member), errors);
  }
  for (const member of ["kind", "listKind"]) {
    const name = textAt(names, member);
    const problems = name === "" ? [] : validateDns1035Label(name.toLowerCase());
    if (problems.length > 0) {
      const detail = `may have mixed case, but should otherwise match: ${problems.join(",")}`;
      errors.invalid(path.child(member), name, detail);
    }
  }
  validateLabels(names, "shortNames", path, errors);
  const kind = textAt(names, "kind");
  if (kind !== "" && kind === textAt(names, "listKind")) {
    errors.invalid(path.child("listKind"), kind, "kind and listKind may not be the same");
  }
  validateLabels(names, "categories", path, errors);
}

/** Validates that the names that a spec must have are set. */
export function requireNames(names: JsonObject, path: FieldPath, errors: FieldErrors): void {
  for (const member of ["plural", "singular", "kind", "listKind"]) {
    if (textAt(names, member) === "") {
      errors.required(path.child(member));
    }
  }
}

function validateLabels(names: JsonObject, member: string, path: FieldPath, errors: FieldErrors): void {
  for (const [index, name] of listAt(names, member).entries()) {
    if (errors.isFull) {
      return;
    }
    const text = typeof name === "string" ? name : "";
    const problems = validateDns1035Label(text);
    if (problems.length > 0) {
      errors.invalid(path.child(member).index(index), text, problems.join(","));
    }
  }
}

function validateLabel(name: string, path: FieldPath, errors: FieldErrors): void {
  const problems = name === "" ? [] : validateDns1035Label(name);
  if (problems.length > 0) {
    errors.invalid(path, name, problems.join(","));
  }
}
