import type { FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { booleanAt, isSet, type JsonObject, listAt, objectAt, textAt } from "@gatehouse/envelopes/json";
import type { Steps } from "@gatehouse/envelopes/scheduling";
import { validateDns1035Label } from "@gatehouse/envelopes/validation";
import { type ValidationContext, validateValidation } from "./custom-resource-validation.js";
import { validatePrinterColumns } from "./printer-columns.js";
import { hasStatus, validateSubresources } from "./subresources.js";

/** Validates one version, with the members that not all versions share. */
export function* validateVersion(
  version: JsonObject,
  context: Omit<ValidationContext, "hasStatus" | "version">,
  shared: JsonObject | undefined,
  path: FieldPath,
  errors: FieldErrors,
): Steps {
  const name = textAt(version, "name");
  const problems = validateDns1035Label(name);
  if (problems.length > 0) {
    errors.invalid(path.child("name"), name, problems.join(","));
  }
  validateDeprecation(version, path, errors);
  const subresources = objectOrNone(version, "subresources");
  yield* validateValidation(
    objectOrNone(version, "schema"),
    { ...context, hasStatus: hasStatus(subresources ?? shared), version: name },
    path.child("schema"),
    errors,
  );
  validateSubresources(subresources, path.child("subresources"), errors);
  validatePrinterColumns(listAt(version, "additionalPrinterColumns"), path.child("additionalPrinterColumns"), errors);
}

function objectOrNone(version: JsonObject, member: string): JsonObject | undefined {
  return isSet(version, member) ? objectAt(version, member) : undefined;
}

function validateDeprecation(version: JsonObject, path: FieldPath, errors: FieldErrors): void {
  if (!isSet(version, "deprecationWarning")) {
    return;
  }
  const warning = textAt(version, "deprecationWarning");
  const at = path.child("deprecationWarning");
  if (!booleanAt(version, "deprecated")) {
    errors.invalid(at, warning, "can only be set for deprecated versions");
    return;
  }
  if (Buffer.byteLength(warning) > 256) {
    errors.invalid(at, warning, "must be <= 256 characters long");
  }
  if (warning === "") {
    errors.invalid(at, warning, "must not be an empty string");
  }
  const strange = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.exec(warning);
  if (strange !== null) {
    const index = Buffer.byteLength(warning.slice(0, strange.index));
    errors.invalid(
      at,
      warning,
      `must only contain printable UTF-8 characters; non-printable character found at index ${index}`,
    );
  }
}
