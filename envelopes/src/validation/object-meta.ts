import type { JsonObject, JsonValue } from "../json/json.js";
import { type FieldError, fieldError } from "../status/field-error.js";
import { validateFinalizers, validateKnownFinalizers, validateNoNewFinalizers } from "./finalizers.js";
import { validateAnnotations, validateLabels } from "./labels-and-annotations.js";
import { validateManagedFields } from "./managed-fields.js";
import { type ValidateName, validateLabelName } from "./names.js";
import { validateOwnerReferences } from "./owner-references.js";

/** Properties of a kind that the options for metadata depend on. */
export interface ObjectMetaValidationOptions {
  readonly namespaced: boolean;
  readonly validateName: ValidateName;
  /** True if finalizers without a domain must be known ones of the control plane. True for all built-in kinds. */
  readonly onlyKnownFinalizers: boolean;
}

/** Checks the ObjectMeta of an object to be created, after a generateName has become a name. Errors as in 1.29. */
export function validateObjectMeta(metadata: JsonObject, options: ObjectMetaValidationOptions): FieldError[] {
  const errors: FieldError[] = [];
  const generateName = text(metadata["generateName"]);
  if (generateName !== "") {
    for (const problem of options.validateName(generateName, true)) {
      errors.push(fieldError.invalid("metadata.generateName", generateName, problem));
    }
  }
  const name = text(metadata["name"]);
  if (name === "") {
    errors.push(fieldError.required("metadata.name", "name or generateName is required"));
  } else {
    for (const problem of options.validateName(name)) {
      errors.push(fieldError.invalid("metadata.name", name, problem));
    }
  }
  errors.push(...validateNamespace(text(metadata["namespace"]), options.namespaced));
  const generation = metadata["generation"] ?? 0;
  if (isNumeric(generation) && generation < 0) {
    errors.push(fieldError.invalid("metadata.generation", generation, "must be greater than or equal to 0"));
  }
  errors.push(...validateLabels(metadata["labels"], "metadata.labels"));
  errors.push(...validateAnnotations(metadata["annotations"], "metadata.annotations"));
  errors.push(...validateOwnerReferences(metadata["ownerReferences"], "metadata.ownerReferences"));
  errors.push(...validateFinalizers(metadata["finalizers"], "metadata.finalizers"));
  errors.push(...validateManagedFields(metadata["managedFields"], "metadata.managedFields"));
  if (options.onlyKnownFinalizers) {
    errors.push(...validateKnownFinalizers(metadata["finalizers"], "metadata.finalizers"));
  }
  return errors;
}

/**
 * Checks the ObjectMeta of an object that replaces another, after the server has filled in what clients may leave out
 * (uid, timestamps, and resourceVersion where an update needs none). Errors as in 1.29.
 */
export function validateObjectMetaUpdate(
  metadata: JsonObject,
  old: JsonObject,
  options: Pick<ObjectMetaValidationOptions, "onlyKnownFinalizers">,
): FieldError[] {
  const errors: FieldError[] = [];
  if (isSet(old["deletionTimestamp"])) {
    errors.push(...validateNoNewFinalizers(metadata["finalizers"], old["finalizers"], "metadata.finalizers"));
  }
  if (text(metadata["resourceVersion"]) === "") {
    errors.push(fieldError.invalid("metadata.resourceVersion", "", "must be specified for an update"));
  }
  const generation = metadata["generation"] ?? 0;
  const oldGeneration = old["generation"] ?? 0;
  if (isNumeric(generation) && isNumeric(oldGeneration) && generation < oldGeneration) {
    errors.push(fieldError.invalid("metadata.generation", generation, "must not be decremented"));
  }
  errors.push(...validateImmutableMembers(metadata, old));
  errors.push(...validateLabels(metadata["labels"], "metadata.labels"));
  errors.push(...validateAnnotations(metadata["annotations"], "metadata.annotations"));
  errors.push(...validateOwnerReferences(metadata["ownerReferences"], "metadata.ownerReferences"));
  errors.push(...validateManagedFields(metadata["managedFields"], "metadata.managedFields"));
  if (options.onlyKnownFinalizers) {
    errors.push(...validateKnownFinalizers(metadata["finalizers"], "metadata.finalizers"));
  }
  return errors;
}

/**
 * Returns the error of a missing resourceVersion for kinds whose updates must state it. The value is the number that
 * kube-apiserver prints.
 */
export function resourceVersionRequired(): FieldError {
  return {
    type: "FieldValueInvalid",
    field: "metadata.resourceVersion",
    message: "Invalid value: 0x0: must be specified for an update",
  };
}

function validateNamespace(namespace: string, namespaced: boolean): FieldError[] {
  if (!namespaced) {
    return namespace === "" ? [] : [fieldError.forbidden("metadata.namespace", "not allowed on this type")];
  }
  if (namespace === "") {
    return [fieldError.required("metadata.namespace")];
  }
  return validateLabelName(namespace).map((problem) => fieldError.invalid("metadata.namespace", namespace, problem));
}

const immutableTexts = ["name", "namespace", "uid"];
const immutableTimes = ["creationTimestamp", "deletionTimestamp"];

function validateImmutableMembers(metadata: JsonObject, old: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  for (const key of immutableTexts) {
    if (text(metadata[key]) !== text(old[key])) {
      errors.push(fieldError.invalid(`metadata.${key}`, text(metadata[key]), "field is immutable"));
    }
  }
  for (const key of immutableTimes) {
    if (timeOf(metadata[key]) !== timeOf(old[key])) {
      errors.push(immutableTime(`metadata.${key}`, metadata[key], key === "creationTimestamp"));
    }
  }
  const grace = metadata["deletionGracePeriodSeconds"] ?? null;
  if (grace !== (old["deletionGracePeriodSeconds"] ?? null)) {
    errors.push(fieldError.invalid("metadata.deletionGracePeriodSeconds", grace, "field is immutable"));
  }
  return errors;
}

function immutableTime(field: string, value: JsonValue | undefined, hasZero: boolean): FieldError {
  const time = timeOf(value);
  if (time === undefined && !hasZero) {
    return fieldError.invalid(field, null, "field is immutable");
  }
  const shown =
    time === undefined ? "0001-01-01 00:00:00" : new Date(time).toISOString().slice(0, 19).replace("T", " ");
  return { type: "FieldValueInvalid", field, message: `Invalid value: ${shown} +0000 UTC: field is immutable` };
}

/** Milliseconds since 1970; undefined when the time is not set. */
function timeOf(value: JsonValue | undefined): number | undefined {
  const time = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

function isSet(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null;
}

function isNumeric(value: JsonValue): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

function text(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}
