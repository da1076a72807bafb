import {
  type FieldErrors,
  type FieldPath,
  rangeText,
  validateFormat,
  validateRange,
  validateRequiredText,
} from "@gatehouse/apiserver/validation";
import { toLower } from "@gatehouse/envelopes/go";
import { integerAt, isJsonObject, isSet, type JsonValue, listAt, textAt } from "@gatehouse/envelopes/json";
import { validateDns1123Label } from "@gatehouse/envelopes/validation";

/*
 * Checks of volumes that another machine or a cloud provides. Pods and persistent volumes have nearly the same members
 * for them; the rules of persistent volumes add the differences.
 */

/** A check that adds the errors of one source of a volume. */
export type ValidateSource = (source: JsonValue, path: FieldPath, errors: FieldErrors) => void;

/** Returns a check that demands only that the members of these names are not empty. */
function requiring(...names: readonly string[]): ValidateSource {
  return (source, path, errors) => {
    for (const name of names) {
      validateRequiredText(textAt(source, name), path.child(name), errors);
    }
  };
}

/** Validates an NFS volume: server and exported path. */
export const validateNfs: ValidateSource = (nfs, path, errors) => {
  requiring("server", "path")(nfs, path, errors);
  const file = textAt(nfs, "path");
  if (!file.startsWith("/")) {
    errors.invalid(path.child("path"), file, "must be an absolute path");
  }
};

export const validateGlusterfs: ValidateSource = requiring("endpoints", "path");
export const validateVsphere: ValidateSource = requiring("volumePath");
export const validatePhoton: ValidateSource = requiring("pdID");
export const validatePortworx: ValidateSource = requiring("volumeID");
export const validateScaleIo: ValidateSource = requiring("gateway", "system", "volumeName");
export const validateAzureFile: ValidateSource = requiring("secretName", "shareName");
export const validateCinder: ValidateSource = requiring("volumeID");

/** Validates a Ceph RBD volume: monitors and an image. */
export const validateRbd: ValidateSource = (rbd, path, errors) => {
  validateMonitors(rbd, path, errors);
  requiring("image")(rbd, path, errors);
};

/** Validates that there is at least one Ceph monitor. */
export const validateMonitors: ValidateSource = (source, path, errors) => {
  if (listAt(source, "monitors").length === 0) {
    errors.required(path.child("monitors"));
  }
};

/** Validates a disk of Google Compute Engine: its name and the number of a partition. */
export const validateGceDisk: ValidateSource = (disk, path, errors) => validateDisk("pdName", disk, path, errors);
export const validateAwsDisk: ValidateSource = (disk, path, errors) => validateDisk("volumeID", disk, path, errors);

/**
 * Validates a cloud disk by the member that names it, and its partition. 0, for no partition, is valid although v1.29's
 * message says from 1.
 */
function validateDisk(name: string, disk: JsonValue, path: FieldPath, errors: FieldErrors): void {
  requiring(name)(disk, path, errors);
  const partition = integerAt(disk, "partition");
  if (partition < 0 || partition > 255) {
    errors.invalid(path.child("partition"), partition, rangeText(1, 255));
  }
}

/** Validates a Fibre Channel disk by target or by world wide identifier. */
export const validateFibreChannel: ValidateSource = (fc, path, errors) => {
  const targets = listAt(fc, "targetWWNs");
  const ids = listAt(fc, "wwids");
  const targetPath = path.child("targetWWNs");
  if (targets.length === 0 && ids.length === 0) {
    errors.required(targetPath, "must specify either targetWWNs or wwids, but not both");
  }
  if (targets.length > 0 && ids.length > 0) {
    errors.invalid(targetPath, [...targets], "targetWWNs and wwids can not be specified simultaneously");
  }
  if (targets.length > 0) {
    if (isSet(fc, "lun")) {
      validateRange(integerAt(fc, "lun"), [0, 255], path.child("lun"), errors);
    } else {
      errors.required(path.child("lun"), "lun is required if targetWWNs is specified");
    }
  }
};

/** Validates a Flocker dataset by name or by identifier. */
export const validateFlocker: ValidateSource = (flocker, path, errors) => {
  const name = textAt(flocker, "datasetName");
  const uuid = textAt(flocker, "datasetUUID");
  if (name === "" && uuid === "") {
    errors.required(path, "one of datasetName and datasetUUID is required");
  }
  if (name !== "" && uuid !== "") {
    errors.invalid(path, "resource", "datasetName and datasetUUID can not be specified simultaneously");
  }
  if (name.includes("/")) {
    errors.invalid(path.child("datasetName"), name, "must not contain '/'");
  }
};

/** Validates a Quobyte volume and its registries: `host:port`, separated by commas. */
export const validateQuobyte: ValidateSource = (quobyte, path, errors) => {
  const registry = textAt(quobyte, "registry");
  const detail = "must be a host:port pair or multiple pairs separated by commas";
  if (registry === "") {
    errors.required(path.child("registry"), detail);
  } else if (Buffer.byteLength(textAt(quobyte, "tenant")) >= 65) {
    errors.required(path.child("tenant"), "must be a UUID and may not exceed a length of 64 characters");
  } else {
    for (const pair of registry.split(",")) {
      if (errors.isFull) {
        return;
      }
      if (!isHostAndPort(pair)) {
        errors.invalid(path.child("registry"), registry, detail);
      }
    }
  }
  requiring("volume")(quobyte, path, errors);
};

/**
 * Reports whether Go splits a text into host and port: the last colon counts, and a host with colons is in brackets.
 */
function isHostAndPort(text: string): boolean {
  return /^(?:[^:[\]]*|\[[^[\]]*\]):[^:[\]]*$/.test(text);
}

/** Domains of option names that are reserved for Kubernetes. */
const reservedDomains = [".kubernetes.io", ".k8s.io"];

/** Validates a FlexVolume: a driver that is installed on the node, and its options. */
export const validateFlexVolume: ValidateSource = (flex, path, errors) => {
  requiring("driver")(flex, path, errors);
  const options = isJsonObject(flex) ? flex["options"] : undefined;
  for (const key of Object.keys(isJsonObject(options) ? options : {})) {
    if (errors.isFull) {
      return;
    }
    const slash = key.indexOf("/");
    const domain = `.${toLower(slash < 0 ? key : key.slice(0, slash))}`;
    if (reservedDomains.some((reserved) => domain.endsWith(reserved))) {
      errors.invalid(path.child("options").key(key), key, "kubernetes.io and k8s.io namespaces are reserved");
    }
  }
};

const cachingModes = ["None", "ReadOnly", "ReadWrite"];
const azureDiskKinds = ["Dedicated", "Managed", "Shared"];

/** Validates an Azure disk, whose URI must fit its kind. */
export const validateAzureDisk: ValidateSource = (disk, path, errors) => {
  requiring("diskName", "diskURI")(disk, path, errors);
  const caching = textAt(disk, "cachingMode");
  if (isSet(disk, "cachingMode") && !cachingModes.includes(caching)) {
    errors.notSupported(path.child("cachingMode"), caching, cachingModes);
  }
  if (!isSet(disk, "kind")) {
    return;
  }
  const kind = textAt(disk, "kind");
  if (!azureDiskKinds.includes(kind)) {
    errors.notSupported(path.child("kind"), kind, azureDiskKinds);
  }
  const uri = textAt(disk, "diskURI");
  const [start, form] =
    kind === "Managed"
      ? [
          "/subscriptions/",
          "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}",
        ]
      : ["https://", "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd"];
  if (!uri.startsWith(start)) {
    errors.notSupported(path.child("diskURI"), uri, [form]);
  }
};

/** Validates a StorageOS volume by name, in a namespace of StorageOS. */
export const validateStorageOs: ValidateSource = (source, path, errors) => {
  const name = textAt(source, "volumeName");
  if (validateRequiredText(name, path.child("volumeName"), errors)) {
    validateFormat(name, validateDns1123Label, path.child("volumeName"), errors);
  }
  const namespace = textAt(source, "volumeNamespace");
  if (namespace !== "") {
    validateFormat(namespace, validateDns1123Label, path.child("volumeNamespace"), errors);
  }
};
