import {
  type FieldErrors,
  type FieldPath,
  validateFormat,
  validateLabelSelector,
  validatePositiveQuantity,
  validateRequiredText,
  validateSupported,
} from "@gatehouse/apiserver/validation";
import { goLiteral, goPointer, goQuote } from "@gatehouse/envelopes/go";
import { isSet, type JsonObject, listAt, objectAt, textAt } from "@gatehouse/envelopes/json";
import { validateDns1123Label, validateDns1123Subdomain, validateSubdomainName } from "@gatehouse/envelopes/validation";
import { validateAccessModes, volumeModes } from "../access-modes.js";

/** Options for validating a PersistentVolumeClaimSpec. */
export interface ClaimSpecOptions {
  /** Set when the object that is replaced has an invalid selector: invalid values may stay. */
  readonly allowInvalidValues?: boolean;
  /** Set when the object that is replaced has a source with a group, whose form v1.29 does not validate again. */
  readonly allowInvalidGroups?: boolean;
  /** True to validate the name of the VolumeAttributesClass. */
  readonly checksAttributesClass: boolean;
}

/** Validates a PersistentVolumeClaimSpec: the storage that is requested and the source of its data. */
export function validateClaimSpec(
  spec: JsonObject,
  path: FieldPath,
  errors: FieldErrors,
  options: ClaimSpecOptions,
): void {
  const modesPath = path.child("accessModes");
  if (listAt(spec, "accessModes").length === 0) {
    errors.required(modesPath, "at least 1 access mode is required");
  }
  validateLabelSelector(spec["selector"], path.child("selector"), errors, options);
  validateAccessModes(spec["accessModes"], modesPath, errors);
  validateSize(spec, path.child("resources").key("storage"), errors);
  const storageClass = textAt(spec, "storageClassName");
  if (storageClass !== "") {
    validateFormat(storageClass, validateSubdomainName, path.child("storageClassName"), errors);
  }
  if (isSet(spec, "volumeMode")) {
    validateSupported(textAt(spec, "volumeMode"), volumeModes, path.child("volumeMode"), errors);
  }
  validateSources(spec, path, errors, options);
  const attributesClass = textAt(spec, "volumeAttributesClassName");
  if (attributesClass !== "" && options.checksAttributesClass) {
    validateFormat(attributesClass, validateSubdomainName, path.child("volumeAttributesClassName"), errors);
  }
}

function validateSize(spec: JsonObject, path: FieldPath, errors: FieldErrors): void {
  const requests = objectAt(spec, "resources", "requests");
  if (Object.hasOwn(requests, "storage")) {
    validatePositiveQuantity(requests["storage"], path, errors);
  } else {
    errors.required(path);
  }
}

/** Validates `dataSource` and the newer `dataSourceRef`, which must agree if both are set. */
function validateSources(spec: JsonObject, path: FieldPath, errors: FieldErrors, options: ClaimSpecOptions): void {
  for (const member of ["dataSource", "dataSourceRef"]) {
    if (isSet(spec, member)) {
      validateSource(objectAt(spec, member), path.child(member), errors, options);
    }
  }
  const namespace = textAt(spec, "dataSourceRef", "namespace");
  if (namespace !== "") {
    validateFormat(namespace, validateDns1123Label, path.child("dataSourceRef").child("namespace"), errors);
  }
  if (!isSet(spec, "dataSource") || !isSet(spec, "dataSourceRef")) {
    return;
  }
  if (namespace !== "") {
    errors.invalidShown(
      path,
      goPath("dataSource", errors.list.length),
      "may not be specified when dataSourceRef.namespace is specified",
    );
  } else if (!isSameSource(objectAt(spec, "dataSource"), objectAt(spec, "dataSourceRef"))) {
    errors.invalidShown(path, goPath("dataSource", errors.list.length), "must match dataSourceRef");
  }
}

/** Validates a source of data; one without a group can only be another claim. */
function validateSource(source: JsonObject, path: FieldPath, errors: FieldErrors, options: ClaimSpecOptions): void {
  const kind = textAt(source, "kind");
  validateRequiredText(textAt(source, "name"), path.child("name"), errors);
  validateRequiredText(kind, path.child("kind"), errors);
  const group = textAt(source, "apiGroup");
  if (group === "") {
    if (kind !== "PersistentVolumeClaim") {
      errors.invalid(path, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup");
    }
  } else if (options.allowInvalidGroups !== true) {
    validateFormat(group, validateDns1123Subdomain, path.child("apiGroup"), errors);
  }
}

function isSameSource(source: JsonObject, reference: JsonObject): boolean {
  return (
    (source["apiGroup"] ?? null) === (reference["apiGroup"] ?? null) &&
    textAt(source, "kind") === textAt(reference, "kind") &&
    textAt(source, "name") === textAt(reference, "name")
  );
}

/** Returns the Go syntax of a member's path, which v1.29 shows in place of the member's value. */
function goPath(member: string, serial: number): string {
  return goLiteral("field.Path", {
    name: goQuote(member),
    index: '""',
    parent: goPointer("field.Path", true, serial),
  });
}
