import {
  checkFileMode,
  checkRequiredText,
  type FieldErrors,
  type FieldPath,
  quantityOf,
} from "@gatehouse/apiserver/validation";
import { isSet, type JsonObject, type JsonValue, listAt, objectAt, textAt } from "@gatehouse/envelopes/json";
import { goQuote } from "@gatehouse/envelopes/status";
import { checkSubdomainName } from "@gatehouse/envelopes/validation";
import { checkDescendingPath } from "../../../../validation/file-paths.js";
import { checkInlineCsi } from "../../../../validation/volumes/csi.js";
import { checkHostPath } from "../../../../validation/volumes/host-path.js";
import { checkIscsi, checkPortalLength } from "../../../../validation/volumes/iscsi.js";
import {
  checkAwsDisk,
  checkAzureDisk,
  checkAzureFile,
  checkCinder,
  checkFibreChannel,
  checkFlexVolume,
  checkFlocker,
  checkGceDisk,
  checkGlusterfs,
  checkMonitors,
  checkNfs,
  checkPhoton,
  checkPortworx,
  checkQuobyte,
  checkRbd,
  checkScaleIo,
  checkStorageOs,
  checkVsphere,
} from "../../../../validation/volumes/remote-sources.js";
import { checkSecretReference } from "../../../../validation/volumes/secret-reference.js";
import { checkDownwardFile } from "./downward-api.js";
import { checkEphemeralSource } from "./ephemeral-source.js";
import { checkKeyToPath } from "./key-to-path.js";
import type { PodOptions } from "./pod-options.js";
import { checkProjected } from "./projected-source.js";

/** A source of a volume with its context. `path` is that of the source. */
interface Source {
  readonly value: JsonValue;
  readonly volumeName: string;
  readonly podName: string;
  readonly path: FieldPath;
  readonly volumePath: FieldPath;
  readonly options: PodOptions;
}

interface SourceRules {
  readonly check: (source: Source, errors: FieldErrors) => void;
  /** The source's name in v1.29's paths of errors inside it, if different. */
  readonly path?: string;
  /** The source's name in v1.29's error about a second source, if different. */
  readonly secondPath?: string;
  /** Validates the source even if it is not the first one. */
  readonly always?: (source: Source, errors: FieldErrors) => void;
}

function simple(check: (value: JsonValue, path: FieldPath, errors: FieldErrors) => void): SourceRules {
  return { check: ({ value, path }, errors) => check(value, path, errors) };
}

/** Returns the rules of a source with a secret reference, which needs a name if it is set. */
function withSecret(check: (value: JsonValue, path: FieldPath, errors: FieldErrors) => void): SourceRules {
  return simple((value, path, errors) => {
    check(value, path, errors);
    checkSecretReference(value, ["name"], path, errors);
  });
}

/** Rules of every source that a volume can have, in v1.29's order. */
const sources: ReadonlyMap<string, SourceRules> = new Map<string, SourceRules>([
  ["emptyDir", simple(checkEmptyDir)],
  ["hostPath", simple(checkHostPath)],
  ["gitRepo", simple(checkGitRepo)],
  ["gcePersistentDisk", { ...simple(checkGceDisk), path: "persistentDisk" }],
  ["awsElasticBlockStore", simple(checkAwsDisk)],
  ["secret", simple((value, path, errors) => checkKeys(value, "secretName", path, errors))],
  ["nfs", simple(checkNfs)],
  [
    "iscsi",
    {
      check: ({ value, volumeName, path }, errors) => checkIscsi(value, volumeName, "pod", path, errors),
      always: ({ value, volumeName, volumePath }, errors) =>
        checkPortalLength(value, volumeName, "pod", volumePath.child("name"), errors),
    },
  ],
  ["glusterfs", simple(checkGlusterfs)],
  ["flocker", simple(checkFlocker)],
  [
    "persistentVolumeClaim",
    simple((value, path, errors) => {
      checkRequiredText(textAt(value, "claimName"), path.child("claimName"), errors);
    }),
  ],
  ["rbd", simple(checkRbd)],
  ["cinder", withSecret(checkCinder)],
  ["cephfs", { ...simple(checkMonitors), secondPath: "cephFS" }],
  ["quobyte", simple(checkQuobyte)],
  ["downwardAPI", { check: checkDownwardVolume, secondPath: "downwarAPI" }],
  ["fc", simple(checkFibreChannel)],
  ["flexVolume", simple(checkFlexVolume)],
  ["configMap", simple((value, path, errors) => checkKeys(value, "name", path, errors))],
  ["azureFile", simple(checkAzureFile)],
  ["vsphereVolume", simple(checkVsphere)],
  ["photonPersistentDisk", simple(checkPhoton)],
  ["portworxVolume", simple(checkPortworx)],
  ["azureDisk", simple(checkAzureDisk)],
  ["storageos", withSecret(checkStorageOs)],
  ["projected", { check: ({ value, path, options }, errors) => checkProjected(value, path, errors, options) }],
  ["scaleIO", simple(checkScaleIo)],
  ["csi", simple(checkInlineCsi)],
  ["ephemeral", { check: checkEphemeral }],
]);

/** Validates that there is exactly one source; only the first of several is validated. */
export function checkVolumeSource(
  volume: JsonObject,
  podName: string,
  volumePath: FieldPath,
  errors: FieldErrors,
  options: PodOptions,
): void {
  let found = false;
  const volumeName = textAt(volume, "name");
  for (const [name, rules] of sources) {
    const value = volume[name];
    if (value === undefined || value === null) {
      continue;
    }
    const path = volumePath.child(rules.path ?? name);
    const source: Source = { value, volumeName, podName, path, volumePath, options };
    if (found) {
      errors.forbidden(volumePath.child(rules.secondPath ?? name), "may not specify more than 1 volume type");
    } else {
      rules.check(source, errors);
    }
    rules.always?.(source, errors);
    found = true;
  }
  if (!found) {
    errors.required(volumePath, "must specify a volume type");
  }
}

function checkEmptyDir(value: JsonValue, path: FieldPath, errors: FieldErrors): void {
  if (isSet(value, "sizeLimit") && quantityOf(objectAt(value)["sizeLimit"]).unscaled < 0n) {
    errors.forbidden(path.child("sizeLimit"), "SizeLimit field must be a valid resource quantity");
  }
}

function checkGitRepo(value: JsonValue, path: FieldPath, errors: FieldErrors): void {
  checkRequiredText(textAt(value, "repository"), path.child("repository"), errors);
  checkDescendingPath(textAt(value, "directory"), path.child("directory"), errors);
}

/** Validates a Secret or ConfigMap whose keys become files. */
function checkKeys(value: JsonValue, nameMember: string, path: FieldPath, errors: FieldErrors): void {
  checkRequiredText(textAt(value, nameMember), path.child(nameMember), errors);
  checkFileMode(objectAt(value)["defaultMode"], path.child("defaultMode"), errors);
  for (const [index, item] of listAt(value, "items").entries()) {
    if (errors.isFull) {
      return;
    }
    checkKeyToPath(item, path.child("items").index(index), errors);
  }
}

/** Validates a downward API volume. As in v1.29, errors in a file are at the volume. */
function checkDownwardVolume({ value, path, options }: Source, errors: FieldErrors): void {
  checkFileMode(objectAt(value)["defaultMode"], path.child("defaultMode"), errors);
  for (const file of listAt(value, "items")) {
    if (errors.isFull) {
      return;
    }
    checkDownwardFile(file, path, errors, options);
  }
}

function checkEphemeral({ value, volumeName, podName, path, volumePath, options }: Source, errors: FieldErrors): void {
  checkEphemeralSource(value, path, errors, options);
  if (podName === "" || volumeName === "") {
    return;
  }
  const claim = `${podName}-${volumeName}`;
  const problems = checkSubdomainName(claim).map((problem) => `PVC name ${goQuote(claim)}: ${problem}`);
  errors.invalidText(volumePath.child("name"), volumeName, problems);
}
