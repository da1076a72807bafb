import { checkFormat, checkRequiredText, type FieldErrors, type FieldPath } from "@gatehouse/apiserver/validation";
import { isSet, type JsonObject, type JsonValue, objectAt, textAt } from "@gatehouse/envelopes/json";
import { checkDns1123Label, checkDns1123Subdomain } from "@gatehouse/envelopes/validation";
import { checkNoBacksteps } from "../file-paths.js";
import { checkCsiDriverName } from "./csi.js";
import { checkHostPath } from "./host-path.js";
import { checkIscsi } from "./iscsi.js";
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
  type SourceCheck,
} from "./remote-sources.js";
import { checkSecretReference } from "./secret-reference.js";

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

const checkGlusterfsOfNamespace: SourceCheck = (source, path, errors) => {
  checkGlusterfs(source, path, errors);
  if (!isSet(source, "endpointsNamespace")) {
    return;
  }
  const namespace = textAt(source, "endpointsNamespace");
  const at = path.child("endpointsNamespace");
  if (namespace === "") {
    errors.invalid(at, "", "if the endpointnamespace is set, it must be a valid namespace name");
  } else {
    checkFormat(namespace, checkDns1123Label, at, errors);
  }
};

const checkAzureFileOfNamespace: SourceCheck = (source, path, errors) => {
  checkAzureFile(source, path, errors);
  if (isSet(source, "secretNamespace")) {
    checkRequiredText(textAt(source, "secretNamespace"), path.child("secretNamespace"), errors);
  }
};

const checkLocal: SourceCheck = (source, path, errors) => {
  const file = textAt(source, "path");
  if (checkRequiredText(file, path.child("path"), errors)) {
    checkNoBacksteps(file, path.child("path"), errors);
  }
};

const csiSecrets = [
  "controllerPublishSecretRef",
  "controllerExpandSecretRef",
  "nodePublishSecretRef",
  "nodeExpandSecretRef",
];

const checkCsi: SourceCheck = (source, path, errors) => {
  checkCsiDriverName(textAt(source, "driver"), path.child("driver"), errors);
  checkRequiredText(textAt(source, "volumeHandle"), path.child("volumeHandle"), errors);
  for (const member of csiSecrets) {
    if (isSet(source, member)) {
      checkWholeSecretReference(objectAt(source, member), path.child(member), errors);
    }
  }
};

function checkWholeSecretReference(reference: JsonObject, path: FieldPath, errors: FieldErrors): void {
  const parts = [
    ["name", checkDns1123Subdomain],
    ["namespace", checkDns1123Label],
  ] as const;
  for (const [member, problemsOf] of parts) {
    const text = textAt(reference, member);
    if (checkRequiredText(text, path.child(member), errors)) {
      checkFormat(text, problemsOf, path.child(member), errors);
    }
  }
}

/** Returns a check of a source together with the secret that it may name, with the secret's namespace. */
function withSecret(check: SourceCheck): SourceCheck {
  return (source, path, errors) => {
    check(source, path, errors);
    checkSecretReference(source, ["name", "namespace"], path, errors);
  };
}

/** The kinds of sources, in the order in which v1.29 validates them. */
export const persistentSources: readonly PersistentSource[] = [
  { member: "hostPath", check: checkHostPath },
  { member: "gcePersistentDisk", check: checkGceDisk, inside: "persistentDisk" },
  { member: "awsElasticBlockStore", check: checkAwsDisk },
  { member: "glusterfs", check: checkGlusterfsOfNamespace },
  { member: "flocker", check: checkFlocker },
  { member: "nfs", check: checkNfs },
  { member: "rbd", check: checkRbd },
  { member: "quobyte", check: checkQuobyte },
  { member: "cephfs", check: checkMonitors, asSecond: "cephFS" },
  {
    member: "iscsi",
    check: (source, path, errors, volumeName) => checkIscsi(source, volumeName, "persistentVolume", path, errors),
  },
  { member: "cinder", check: withSecret(checkCinder) },
  { member: "fc", check: checkFibreChannel },
  { member: "flexVolume", check: checkFlexVolume, alwaysChecked: true },
  { member: "azureFile", check: checkAzureFileOfNamespace },
  { member: "vsphereVolume", check: checkVsphere },
  { member: "photonPersistentDisk", check: checkPhoton },
  { member: "portworxVolume", check: checkPortworx },
  { member: "azureDisk", check: checkAzureDisk },
  { member: "scaleIO", check: checkScaleIo },
  { member: "local", check: checkLocal },
  { member: "storageos", check: withSecret(checkStorageOs) },
  { member: "csi", check: checkCsi },
];

/** Names of the members of `spec` that hold the source of a persistent volume. */
export const persistentSourceMembers: readonly string[] = persistentSources.map(({ member }) => member);
