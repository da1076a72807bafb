import type { JsonValue } from "../json/json.js";
import { type FieldError, fieldError, hasEnoughErrors } from "../status/field-error.js";
import { type ValidateValue, validateQualifiedName } from "./names.js";

const orphan = "orphan";
const foregroundDeletion = "foregroundDeletion";
const knownFinalizers: readonly string[] = ["kubernetes", orphan, foregroundDeletion];

/** Checks the form of finalizers, and that dependents are not to be both orphaned and deleted. */
export function validateFinalizers(finalizers: JsonValue | undefined, field: string): FieldError[] {
  const names = textsOf(finalizers);
  const errors: FieldError[] = [];
  for (const name of names) {
    if (hasEnoughErrors(errors)) {
      break;
    }
    for (const problem of validateQualifiedName(name)) {
      errors.push(fieldError.invalid(field, name, problem));
    }
  }
  if (names.includes(orphan) && names.includes(foregroundDeletion)) {
    errors.push({
      type: "FieldValueInvalid",
      field,
      message: `Invalid value: ${goList(names)}: finalizer ${orphan} and ${foregroundDeletion} cannot be both set`,
    });
  }
  return errors;
}

/** Checks that a finalizer without a domain is one of the control plane. */
export const validateKnownFinalizer: ValidateValue = (name) =>
  name.includes("/") || knownFinalizers.includes(name)
    ? []
    : ["name is neither a standard finalizer name nor is it fully qualified"];

/** Checks that finalizers without a domain are those of the control plane. */
export function validateKnownFinalizers(finalizers: JsonValue | undefined, field: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, name] of textsOf(finalizers).entries()) {
    if (hasEnoughErrors(errors)) {
      break;
    }
    errors.push(
      ...validateKnownFinalizer(name).map((problem) => fieldError.invalid(`${field}[${index}]`, name, problem)),
    );
  }
  return errors;
}

/** Checks that no finalizer is added to an object that is being deleted. */
export function validateNoNewFinalizers(
  finalizers: JsonValue | undefined,
  old: JsonValue | undefined,
  field: string,
): FieldError[] {
  const before = new Set(textsOf(old));
  const added = [...new Set(textsOf(finalizers))].filter((name) => !before.has(name)).sort();
  if (added.length === 0) {
    return [];
  }
  const problem = `no new finalizers can be added if the object is being deleted, found new finalizers ${goList(added)}`;
  return [fieldError.forbidden(field, problem)];
}

function textsOf(list: JsonValue | undefined): string[] {
  return Array.isArray(list) ? list.filter((item) => typeof item === "string") : [];
}

function goList(texts: readonly string[]): string {
  return `[]string{${texts.map((item) => JSON.stringify(item)).join(", ")}}`;
}
