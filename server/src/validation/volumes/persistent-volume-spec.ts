import {
  type FieldErrors,
  type FieldPath,
  validateBasicQuantity,
  validateFormat,
  validatePositiveQuantity,
  validateRequiredText,
  validateSupported,
} from "@gatehouse/apiserver/validation";
import { goListedQuantity, goQuote, mapAsSent } from "@gatehouse/envelopes/go";
import { isSet, type JsonObject, listAt, objectAt, textAt } from "@gatehouse/envelopes/json";
import { validateSubdomainName } from "@gatehouse/envelopes/validation";
import { validateAccessModes, volumeModes } from "../access-modes.js";
import { validateNodeSelector } from "../node-selector.js";
import { persistentSources } from "./persistent-sources.js";

/** Options for validating a PersistentVolumeSpec. */
export interface PersistentVolumeOptions {
  readonly volumeName: string;
  /** True for the inline volume of a VolumeAttachment, migrated from a volume of a pod. */
  readonly isInline: boolean;
  /** True to validate the name of the VolumeAttributesClass. */
  readonly checksAttributesClass: boolean;
}

const inline = "in the context of inline volumes";
const reclaimPolicies = ["Delete", "Recycle", "Retain"];

/** Validates a PersistentVolumeSpec. */
export function validatePersistentVolumeSpec(
  spec: JsonObject,
  path: FieldPath,
  errors: FieldErrors,
  options: PersistentVolumeOptions,
): void {
  if (options.isInline) {
    validateInlineMembers(spec, path, errors);
  }
  if (listAt(spec, "accessModes").length === 0) {
    errors.required(path.child("accessModes"));
  }
  validateAccessModes(spec["accessModes"], path.child("accessModes"), errors);
  if (!options.isInline) {
    validateCapacity(spec, path.child("capacity"), errors);
  }
  validateReclaimPolicy(spec, path.child("persistentVolumeReclaimPolicy"), errors, options);
  validateNodeAffinity(spec, path.child("nodeAffinity"), errors, options);
  validateSources(spec, path, errors, options);
  validateClasses(spec, path, errors, options);
}

function validateInlineMembers(spec: JsonObject, path: FieldPath, errors: FieldErrors): void {
  if (isSet(spec, "claimRef")) {
    errors.forbidden(path.child("claimRef"), `may not be specified ${inline}`);
  }
  if (Object.keys(objectAt(spec, "capacity")).length > 0) {
    errors.forbidden(path.child("capacity"), `may not be specified ${inline}`);
  }
  if (!isSet(spec, "csi")) {
    errors.required(path.child("csi"), `has to be specified ${inline}`);
  }
}

/** Validates the capacity: an amount of `storage`, and of no other resource. */
function validateCapacity(spec: JsonObject, path: FieldPath, errors: FieldErrors): void {
  const capacity = objectAt(spec, "capacity");
  const resources = Object.keys(capacity);
  if (resources.length === 0) {
    errors.required(path);
  }
  if (resources.length !== 1 || resources[0] !== "storage") {
    errors.notSupportedShown(path, goResourceList(spec), ["storage"]);
  }
  for (const resource of resources) {
    if (errors.isFull) {
      return;
    }
    validateBasicQuantity(capacity[resource], path.key(resource), errors);
    validatePositiveQuantity(capacity[resource], path.key(resource), errors);
  }
}

function validateReclaimPolicy(
  spec: JsonObject,
  path: FieldPath,
  errors: FieldErrors,
  { isInline }: PersistentVolumeOptions,
): void {
  const policy = textAt(spec, "persistentVolumeReclaimPolicy");
  if (policy === "") {
    return;
  }
  if (!isInline) {
    validateSupported(policy, reclaimPolicies, path, errors);
  } else if (policy !== "Retain") {
    errors.forbidden(path, `may only be Retain ${inline}`);
  }
}

function validateNodeAffinity(
  spec: JsonObject,
  path: FieldPath,
  errors: FieldErrors,
  { isInline }: PersistentVolumeOptions,
): void {
  if (!isSet(spec, "nodeAffinity")) {
    return;
  }
  if (isInline) {
    errors.forbidden(path, `may not be specified ${inline}`);
  } else if (isSet(spec, "nodeAffinity", "required")) {
    validateNodeSelector(objectAt(spec, "nodeAffinity", "required"), path.child("required"), errors);
  } else {
    errors.required(path.child("required"), "must specify required node constraints");
  }
}

/** Validates that there is exactly one source, and the source itself. */
function validateSources(
  spec: JsonObject,
  path: FieldPath,
  errors: FieldErrors,
  { volumeName, isInline }: PersistentVolumeOptions,
): void {
  let count = 0;
  for (const { member, check, inside = member, asSecond = member, alwaysChecked } of persistentSources) {
    if (!isSet(spec, member)) {
      continue;
    }
    if (count > 0 && !alwaysChecked) {
      errors.forbidden(path.child(asSecond), "may not specify more than 1 volume type");
      continue;
    }
    count++;
    check(objectAt(spec, member), path.child(inside), errors, volumeName);
    if (member === "local" && (isInline || !isSet(spec, "nodeAffinity"))) {
      errors.required(path.child("nodeAffinity"), "Local volume requires node affinity");
    }
  }
  if (count === 0) {
    errors.required(path, "must specify a volume type");
  }
  if (
    isSet(spec, "hostPath") &&
    isRoot(textAt(spec, "hostPath", "path")) &&
    textAt(spec, "persistentVolumeReclaimPolicy") === "Recycle"
  ) {
    errors.forbidden(path.child("persistentVolumeReclaimPolicy"), "may not be 'recycle' for a hostPath mount of '/'");
  }
}

/** Reports whether an absolute path leads to the root. */
function isRoot(file: string): boolean {
  if (!file.startsWith("/")) {
    return false;
  }
  let depth = 0;
  for (const step of file.split("/")) {
    depth += step === "" || step === "." ? 0 : step === ".." ? (depth > 0 ? -1 : 0) : 1;
  }
  return depth === 0;
}

function validateClasses(
  spec: JsonObject,
  path: FieldPath,
  errors: FieldErrors,
  { isInline, checksAttributesClass }: PersistentVolumeOptions,
): void {
  const storageClass = textAt(spec, "storageClassName");
  if (storageClass !== "") {
    if (isInline) {
      errors.forbidden(path.child("storageClassName"), `may not be specified ${inline}`);
    } else {
      validateFormat(storageClass, validateSubdomainName, path.child("storageClassName"), errors);
    }
  }
  if (isSet(spec, "volumeMode")) {
    const mode = textAt(spec, "volumeMode");
    if (!isInline) {
      validateSupported(mode, volumeModes, path.child("volumeMode"), errors);
    } else if (mode !== "Filesystem") {
      errors.forbidden(path.child("volumeMode"), `may not specify volumeMode other than Filesystem ${inline}`);
    }
  }
  if (isSet(spec, "volumeAttributesClassName") && checksAttributesClass) {
    const name = textAt(spec, "volumeAttributesClassName");
    const at = path.child("volumeAttributesClassName");
    if (validateRequiredText(name, at, errors, "an empty string is disallowed")) {
      validateFormat(name, validateSubdomainName, at, errors);
    }
    if (!isSet(spec, "csi")) {
      errors.required(path.child("csi"), "has to be specified when using volumeAttributesClassName");
    }
  }
}

function goResourceList(spec: JsonObject): string {
  const capacity = mapAsSent(spec, "capacity");
  if (capacity === undefined) {
    return "core.ResourceList(nil)";
  }
  const entries = Object.keys(capacity)
    .sort()
    .map((resource) => `${goQuote(resource)}:${goListedQuantity(capacity, resource)}`);
  return `core.ResourceList{${entries.join(", ")}}`;
}
