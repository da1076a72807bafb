import {
  type FieldErrors,
  type FieldPath,
  quantityOf,
  validateFileMode,
  validateRequiredText,
} from "@gatehouse/apiserver/validation";
import { goQuote } from "@gatehouse/envelopes/go";
import { isSet, type JsonObject, type JsonValue, listAt, objectAt, textAt } from "@gatehouse/envelopes/json";
import { validateSubdomainName } from "@gatehouse/envelopes/validation";
import { validateDescendingPath } from "../../../../validation/file-paths.js";
import { validateInlineCsi } from "../../../../validation/volumes/csi.js";
import { validateHostPath } from "../../../../validation/volumes/host-path.js";
import { validateIscsi, validatePortalLength } from "../../../../validation/volumes/iscsi.js";
import {
  validateAwsDisk,
  validateAzureDisk,
  validateAzureFile,
  validateCinder,
  validateFibreChannel,
  validateFlexVolume,
  validateFlocker,
  validateGceDisk,
  validateGlusterfs,
  validateMonitors,
  validateNfs,
  validatePhoton,
  validatePortworx,
  validateQuobyte,
  validateRbd,
  validateScaleIo,
  validateStorageOs,
  validateVsphere,
} from "../../../../validation/volumes/remote-sources.js";
import { validateSecretReference } from "../../../../validation/volumes/secret-reference.js";
import { validateDownwardFile } from "./downward-api.js";
import { validateEphemeralSource } from "./ephemeral-source.js";
import { validateKeyToPath } from "./key-to-path.js";
import type { PodOptions } from "./pod-options.js";
import { validateProjected } from "./projected-source.js";

/** A source of a volume with its context. `path` is that of the source. */
interface Source {
  readonly value: JsonValue;
  readonly volumeName: string;
  readonly podName: string;
  readonly path: FieldPath;
  readonly volumePath: FieldPath;
  readonly options: PodOptions;
}

interface SourceValidation {
  readonly check: (source: Source, errors: FieldErrors) => void;
  /** The source's name in v1.29's paths of errors inside it, if different. */
  readonly path?: string;
  /** The source's name in v1.29's error about a second source, if different. */
  readonly secondPath?: string;
  /** Validates the source even if it is not the first one. */
  readonly always?: (source: Source, errors: FieldErrors) => void;
}

function simple(check: (value: JsonValue, path: FieldPath, errors: FieldErrors) => void): SourceValidation {
  return { check: ({ value, path }, errors) => check(value, path, errors) };
}

/** Returns the validation of a source with a secret reference, which needs a name if it is set. */
function withSecret(check: (value: JsonValue, path: FieldPath, errors: FieldErrors) => void): SourceValidation {
  return simple((value, path, errors) => {
    check(value, path, errors);
    validateSecretReference(value, ["name"], path, errors);
  });
}

/** Rules of every source that a volume can have, in v1.29's order. */
const sources: ReadonlyMap<string, SourceValidation> = new Map<string, SourceValidation>([
  ["emptyDir", simple(validateEmptyDir)],
  ["hostPath", simple(validateHostPath)],
  ["gitRepo", simple(validateGitRepo)],
  ["gcePersistentDisk", { ...simple(validateGceDisk), path: "persistentDisk" }],
  ["awsElasticBlockStore", simple(validateAwsDisk)],
  ["secret", simple((value, path, errors) => validateKeys(value, "secretName", path, errors))],
  ["nfs", simple(validateNfs)],
  [
    "iscsi",
    {
      check: ({ value, volumeName, path }, errors) => validateIscsi(value, volumeName, "pod", path, errors),
      always: ({ value, volumeName, volumePath }, errors) =>
        validatePortalLength(value, volumeName, "pod", volumePath.child("name"), errors),
    },
  ],
  ["glusterfs", simple(validateGlusterfs)],
  ["flocker", simple(validateFlocker)],
  [
    "persistentVolumeClaim",
    simple((value, path, errors) => {
      validateRequiredText(textAt(value, "claimName"), path.child("claimName"), errors);
    }),
  ],
  ["rbd", simple(validateRbd)],
  ["cinder", withSecret(validateCinder)],
  ["cephfs", { ...simple(validateMonitors), secondPath: "cephFS" }],
  ["quobyte", simple(validateQuobyte)],
  ["downwardAPI", { check: validateDownwardVolume, secondPath: "downwarAPI" }],
  ["fc", simple(validateFibreChannel)],
  ["flexVolume", simple(validateFlexVolume)],
  ["configMap", simple((value, path, errors) => validateKeys(value, "name", path, errors))],
  ["azureFile", simple(validateAzureFile)],
  ["vsphereVolume", simple(validateVsphere)],
  ["photonPersistentDisk", simple(validatePhoton)],
  ["portworxVolume", simple(validatePortworx)],
  ["azureDisk", simple(validateAzureDisk)],
  ["storageos", withSecret(validateStorageOs)],
  ["projected", { check: ({ value, path, options }, errors) => validateProjected(value, path, errors, options) }],
  ["scaleIO", simple(validateScaleIo)],
  ["csi", simple(validateInlineCsi)],
  ["ephemeral", { check: validateEphemeral }],
]);

/** Validates that there is exactly one source; only the first of several is validated. */
export function validateVolumeSource(
  volume: JsonObject,
  podName: string,
  volumePath: FieldPath,
  errors: FieldErrors,
  options: PodOptions,
): void {
  let found = false;
  const volumeName = textAt(volume, "name");
  for (const [name, validation] of sources) {
    const value = volume[name];
    if (value === undefined || value === null) {
      continue;
    }
    const path = volumePath.child(validation.path ?? name);
    const source: Source = { value, volumeName, podName, path, volumePath, options };
    if (found) {
      errors.forbidden(volumePath.child(validation.secondPath ?? name), "may not specify more than 1 volume type");
    } else {
      validation.check(source, errors);
    }
    validation.always?.(source, errors);
    found = true;
  }
  if (!found) {
    errors.required(volumePath, "must specify a volume type");
  }
}

function validateEmptyDir(value: JsonValue, path: FieldPath, errors: FieldErrors): void {
  if (isSet(value, "sizeLimit") && quantityOf(objectAt(value)["sizeLimit"]).unscaled < 0n) {
    errors.forbidden(path.child("sizeLimit"), "SizeLimit field must be a valid resource quantity");
  }
}

function validateGitRepo(value: JsonValue, path: FieldPath, errors: FieldErrors): void {
  validateRequiredText(textAt(value, "repository"), path.child("repository"), errors);
  validateDescendingPath(textAt(value, "directory"), path.child("directory"), errors);
}

/** Validates a Secret or ConfigMap whose keys become files. */
function validateKeys(value: JsonValue, nameMember: string, path: FieldPath, errors: FieldErrors): void {
  validateRequiredText(textAt(value, nameMember), path.child(nameMember), errors);
  validateFileMode(objectAt(value)["defaultMode"], path.child("defaultMode"), errors);
  for (const [index, item] of listAt(value, "items").entries()) {
    if (errors.isFull) {
      return;
    }
    validateKeyToPath(item, path.child("items").index(index), errors);
  }
}

/** Validates a downward API volume. As in v1.29, errors in a file are at the volume. */
function validateDownwardVolume({ value, path, options }: Source, errors: FieldErrors): void {
  validateFileMode(objectAt(value)["defaultMode"], path.child("defaultMode"), errors);
  for (const file of listAt(value, "items")) {
    if (errors.isFull) {
      return;
    }
    validateDownwardFile(file, path, errors, options);
  }
}

function validateEphemeral(
  { value, volumeName, podName, path, volumePath, options }: Source,
  errors: FieldErrors,
): void {
  validateEphemeralSource(value, path, errors, options);
  if (podName === "" || volumeName === "") {
    return;
  }
  const claim = `${podName}-${volumeName}`;
  const problems = validateSubdomainName(claim).map((problem) => `PVC name ${goQuote(claim)}: ${problem}`);
  errors.invalidText(volumePath.child("name"), volumeName, problems);
}
