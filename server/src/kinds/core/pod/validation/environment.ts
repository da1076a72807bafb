import {
  type FieldErrors,
  type FieldPath,
  validateFormat,
  validateRequiredText,
} from "@gatehouse/apiserver/validation";
import { isSet, type JsonArray, type JsonValue, objectAt, textAt, valueAt } from "@gatehouse/envelopes/json";
import { validateConfigMapKey, validateSubdomainName } from "@gatehouse/envelopes/validation";
import { validateFieldReference, validateHostIpsReference, validateResourceReference } from "./downward-api.js";
import type { PodOptions } from "./pod-options.js";

/** Validates the environment variables of a container. */
export function validateEnv(variables: JsonArray, path: FieldPath, errors: FieldErrors, options: PodOptions): void {
  for (const [index, variable] of variables.entries()) {
    if (errors.isFull) {
      return;
    }
    const at = path.index(index);
    const name = textAt(variable, "name");
    if (validateRequiredText(name, at.child("name"), errors)) {
      validateFormat(name, variableNameProblems, at.child("name"), errors);
    }
    if (isSet(variable, "valueFrom")) {
      validateValueFrom(variable, at.child("valueFrom"), errors, options);
    }
  }
}

function validateValueFrom(variable: JsonValue, path: FieldPath, errors: FieldErrors, options: PodOptions): void {
  const source = objectAt(variable, "valueFrom");
  let sources = 0;
  if (isSet(source, "fieldRef")) {
    sources++;
    validateFieldReference(source["fieldRef"], "environment", path.child("fieldRef"), errors);
    validateHostIpsReference(source["fieldRef"], path.child("fieldRef"), errors, options);
  }
  if (isSet(source, "resourceFieldRef")) {
    sources++;
    validateResourceReference(source["resourceFieldRef"], false, path.child("resourceFieldRef"), errors);
  }
  for (const name of ["configMapKeyRef", "secretKeyRef"]) {
    if (isSet(source, name)) {
      sources++;
      validateKeyReference(source[name], path.child(name), errors);
    }
  }
  if (sources === 0) {
    const detail = "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`";
    errors.invalid(path, "", detail);
  } else if (textAt(variable, "value") !== "") {
    errors.invalid(path, "", "may not be specified when `value` is not empty");
  } else if (sources > 1) {
    errors.invalid(path, "", "may not have more than one field specified at a time");
  }
}

function validateKeyReference(reference: JsonValue | undefined, path: FieldPath, errors: FieldErrors): void {
  validateFormat(textAt(reference, "name"), validateSubdomainName, path.child("name"), errors);
  const key = textAt(reference, "key");
  if (validateRequiredText(key, path.child("key"), errors)) {
    validateFormat(key, validateConfigMapKey, path.child("key"), errors);
  }
}

/**
 * Validates maps whose entries become variables. Errors about missing or multiple references are at the list, not the
 * item.
 */
export function validateEnvFrom(sources: JsonArray, path: FieldPath, errors: FieldErrors): void {
  for (const [index, source] of sources.entries()) {
    if (errors.isFull) {
      return;
    }
    const at = path.index(index);
    const prefix = textAt(source, "prefix");
    if (prefix !== "") {
      validateFormat(prefix, variableNameProblems, at.child("prefix"), errors);
    }
    const named = ["configMapRef", "secretRef"].filter((name) => isSet(source, name));
    for (const name of named) {
      const text = textAt(valueAt(source, name), "name");
      if (validateRequiredText(text, at.child(name).child("name"), errors)) {
        validateFormat(
          text,
          (value: string) => validateSubdomainName(value, true),
          at.child(name).child("name"),
          errors,
        );
      }
    }
    if (named.length === 0) {
      errors.invalid(path, "", "must specify one of: `configMapRef` or `secretRef`");
    } else if (named.length > 1) {
      errors.invalid(path, "", "may not have more than one field specified at a time");
    }
  }
}

const variableName = "[-._a-zA-Z][-._a-zA-Z0-9]*";
const variablePattern = new RegExp(`^${variableName}$`);

function variableNameProblems(name: string): string[] {
  const problems: string[] = [];
  if (!variablePattern.test(name)) {
    problems.push(
      `a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit (e.g. 'my.env-name',  or 'MY_ENV.NAME',  or 'MyEnvName1', regex used for validation is '${variableName}')`,
    );
  }
  if (name === "." || name === "..") {
    problems.push(`must not be '${name}'`);
  } else if (name.startsWith("..")) {
    problems.push("must not start with '..'");
  }
  return problems;
}
