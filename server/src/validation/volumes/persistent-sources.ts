import {
  type FieldErrors,
  type FieldPath,
  validateFormat,
  validateRequiredText,
} from "@gatehouse/apiserver/validation";
import { isSet, type JsonObject, type JsonValue, objectAt, textAt } from "@gatehouse/envelopes/json";
import { validateDns1123Label, validateDns1123Subdomain } from "@gatehouse/envelopes/validation";
import { validateNoBacksteps } from "../file-paths.js";
import { validateCsiDriverName } from "./csi.js";
import { validateHostPath } from "./host-path.js";
import { validateIscsi } from "./iscsi.js";
import {
  type ValidateSource,
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
} from "./remote-sources.js";
import { validateSecretReference } from "./secret-reference.js";

/** A kind of source that a persistent volume can have. */
interface PersistentSource {
  readonly member: string;
  readonly check: (source: JsonValue, path: FieldPath, errors: FieldErrors, volumeName: string) => void;
  /** The member's name in v1.29's paths of errors inside it, if different. */
  readonly inside?: string;
  /** The member's name in v1.29's error about a second source, if different. */
  readonly asSecond?: string;
  /** Set if v1.29 validates the source even when another one precedes it, and does not forbid it. */
  readonly alwaysChecked?: true;
}

const validateGlusterfsOfNamespace: ValidateSource = (source, path, errors) => {
  validateGlusterfs(source, path, errors);
  if (!isSet(source, "endpointsNamespace")) {
    return;
  }
  const namespace = textAt(source, "endpointsNamespace");
  const at = path.child("endpointsNamespace");
  if (namespace === "") {
    errors.invalid(at, "", "if the endpointnamespace is set, it must be a valid namespace name");
  } else {
    validateFormat(namespace, validateDns1123Label, at, errors);
  }
};

const validateAzureFileOfNamespace: ValidateSource = (source, path, errors) => {
  validateAzureFile(source, path, errors);
  if (isSet(source, "secretNamespace")) {
    validateRequiredText(textAt(source, "secretNamespace"), path.child("secretNamespace"), errors);
  }
};

const validateLocal: ValidateSource = (source, path, errors) => {
  const file = textAt(source, "path");
  if (validateRequiredText(file, path.child("path"), errors)) {
    validateNoBacksteps(file, path.child("path"), errors);
  }
};

const csiSecrets = [
  "controllerPublishSecretRef",
  "controllerExpandSecretRef",
  "nodePublishSecretRef",
  "nodeExpandSecretRef",
];

const validateCsi: ValidateSource = (source, path, errors) => {
  validateCsiDriverName(textAt(source, "driver"), path.child("driver"), errors);
  validateRequiredText(textAt(source, "volumeHandle"), path.child("volumeHandle"), errors);
  for (const member of csiSecrets) {
    if (isSet(source, member)) {
      validateWholeSecretReference(objectAt(source, member), path.child(member), errors);
    }
  }
};

function validateWholeSecretReference(reference: JsonObject, path: FieldPath, errors: FieldErrors): void {
  const parts = [
    ["name", validateDns1123Subdomain],
    ["namespace", validateDns1123Label],
  ] as const;
  for (const [member, problemsOf] of parts) {
    const text = textAt(reference, member);
    if (validateRequiredText(text, path.child(member), errors)) {
      validateFormat(text, problemsOf, path.child(member), errors);
    }
  }
}

/** Returns a check of a source together with the secret that it may name, with the secret's namespace. */
function withSecret(check: ValidateSource): ValidateSource {
  return (source, path, errors) => {
    check(source, path, errors);
    validateSecretReference(source, ["name", "namespace"], path, errors);
  };
}

/** The kinds of sources, in the order in which v1.29 validates them. */
export const persistentSources: readonly PersistentSource[] = [
  { member: "hostPath", check: validateHostPath },
  { member: "gcePersistentDisk", check: validateGceDisk, inside: "persistentDisk" },
  { member: "awsElasticBlockStore", check: validateAwsDisk },
  { member: "glusterfs", check: validateGlusterfsOfNamespace },
  { member: "flocker", check: validateFlocker },
  { member: "nfs", check: validateNfs },
  { member: "rbd", check: validateRbd },
  { member: "quobyte", check: validateQuobyte },
  { member: "cephfs", check: validateMonitors, asSecond: "cephFS" },
  {
    member: "iscsi",
    check: (source, path, errors, volumeName) => validateIscsi(source, volumeName, "persistentVolume", path, errors),
  },
  { member: "cinder", check: withSecret(validateCinder) },
  { member: "fc", check: validateFibreChannel },
  { member: "flexVolume", check: validateFlexVolume, alwaysChecked: true },
  { member: "azureFile", check: validateAzureFileOfNamespace },
  { member: "vsphereVolume", check: validateVsphere },
  { member: "photonPersistentDisk", check: validatePhoton },
  { member: "portworxVolume", check: validatePortworx },
  { member: "azureDisk", check: validateAzureDisk },
  { member: "scaleIO", check: validateScaleIo },
  { member: "local", check: validateLocal },
  { member: "storageos", check: withSecret(validateStorageOs) },
  { member: "csi", check: validateCsi },
];

/** Names of the members of `spec` that hold the source of a persistent volume. */
export const persistentSourceMembers: readonly string[] = persistentSources.map(({ member }) => member);
