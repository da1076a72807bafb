import type { FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { booleanAt, isSet, type JsonObject, listAt, objectAt, textAt } from "@gatehouse/envelopes/json";
import { checkDns1035Label } from "@gatehouse/envelopes/validation";
import type { SlicedWork } from "../../validation/check-value.js";
import { checkPrinterColumns } from "./printer-columns.js";
import { checkSubresources, hasStatus } from "./subresources.js";
import { checkValidation, type ValidationContext } from "./validation.js";

/** Validates one version, with the members that not all versions share. */
export function* checkVersion(
  version: JsonObject,
  context: Omit<ValidationContext, "hasStatus">,
  shared: JsonObject | undefined,
  path: FieldPath,
  errors: FieldErrors,
): SlicedWork {
  const name = textAt(version, "name");
  const problems = checkDns1035Label(name);
  if (problems.length > 0) {
    errors.invalid(path.child("name"), name, problems.join(","));
  }
  checkDeprecation(version, path, errors);
  const subresources = objectOrNone(version, "subresources");
  yield* checkValidation(
    objectOrNone(version, "schema"),
    { ...context, hasStatus: hasStatus(subresources ?? shared) },
    path.child("schema"),
    errors,
  );
  checkSubresources(subresources, path.child("subresources"), errors);
  checkPrinterColumns(listAt(version, "additionalPrinterColumns"), path.child("additionalPrinterColumns"), errors);
}

function objectOrNone(version: JsonObject, member: string): JsonObject | undefined {
  return isSet(version, member) ? objectAt(version, member) : undefined;
}

function checkDeprecation(version: JsonObject, path: FieldPath, errors: FieldErrors): void {
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
