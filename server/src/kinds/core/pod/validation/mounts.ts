import { type FieldErrors, type FieldPath, validateRequiredText } from "@gatehouse/apiserver/validation";
import { booleanAt, isSet, type JsonObject, type JsonValue, listAt, textAt } from "@gatehouse/envelopes/json";
import { hasBacksteps, validateDescendingPath } from "../../../../validation/file-paths.js";

/** The valid volumes of a pod by name. */
export type Volumes = ReadonlyMap<string, JsonObject>;

/** Validates the mounts and devices of a container; no volume or path may be both. */
export function validateMounts(container: JsonValue, volumes: Volumes, path: FieldPath, errors: FieldErrors): void {
  const mounts = listAt(container, "volumeMounts");
  const devices = listAt(container, "volumeDevices");
  if (mounts.length === 0 && devices.length === 0) {
    return;
  }
  const ofDevices = placesOf(devices, "devicePath");
  validateVolumeMounts(container, ofDevices, volumes, path.child("volumeMounts"), errors);
  validateVolumeDevices(devices, placesOf(mounts, "mountPath"), volumes, path.child("volumeDevices"), errors);
}

interface Places {
  readonly names: ReadonlySet<string>;
  readonly paths: ReadonlySet<string>;
}

/** Returns volume names and paths of mounts or devices; the last one of a volume counts. */
function placesOf(uses: readonly JsonValue[], member: string): Places {
  const byName = new Map(uses.map((use) => [textAt(use, "name"), textAt(use, member)]));
  return { names: new Set(byName.keys()), paths: new Set(byName.values()) };
}

function validateVolumeMounts(
  container: JsonValue,
  devices: Places,
  volumes: Volumes,
  path: FieldPath,
  errors: FieldErrors,
): void {
  const mountPaths = new Set<string>();
  for (const [index, mount] of listAt(container, "volumeMounts").entries()) {
    if (errors.isFull) {
      return;
    }
    const at = path.index(index);
    const name = textAt(mount, "name");
    const file = textAt(mount, "mountPath");
    validateRequiredText(name, at.child("name"), errors);
    if (!volumes.has(name)) {
      errors.notFound(at.child("name"), name);
    }
    validateRequiredText(file, at.child("mountPath"), errors);
    if (mountPaths.has(file)) {
      errors.invalid(at.child("mountPath"), file, "must be unique");
    }
    mountPaths.add(file);
    if (devices.names.has(name)) {
      errors.invalid(at.child("name"), name, "must not already exist in volumeDevices");
    }
    if (devices.paths.has(file)) {
      errors.invalid(at.child("mountPath"), file, "must not already exist as a path in volumeDevices");
    }
    validateSubPaths(mount, at, path, errors);
    validatePropagation(mount, container, path.child("mountPropagation"), errors);
  }
}

/** Validates the subpaths of a mount. Errors have v1.29's path, without the index of the mount. */
function validateSubPaths(mount: JsonValue, path: FieldPath, listPath: FieldPath, errors: FieldErrors): void {
  const subPath = textAt(mount, "subPath");
  const expression = textAt(mount, "subPathExpr");
  if (subPath !== "") {
    validateDescendingPath(subPath, listPath.child("subPath"), errors);
  }
  if (expression !== "") {
    if (subPath !== "") {
      errors.invalid(path.child("subPathExpr"), expression, "subPathExpr and subPath are mutually exclusive");
    }
    validateDescendingPath(expression, listPath.child("subPathExpr"), errors);
  }
}

const propagations = ["Bidirectional", "HostToContainer", "None"];

function validatePropagation(mount: JsonValue, container: JsonValue, path: FieldPath, errors: FieldErrors): void {
  if (!isSet(mount, "mountPropagation")) {
    return;
  }
  const propagation = textAt(mount, "mountPropagation");
  if (!propagations.includes(propagation)) {
    errors.notSupported(path, propagation, propagations);
  }
  if (propagation === "Bidirectional" && !booleanAt(container, "securityContext", "privileged")) {
    errors.forbidden(path, "Bidirectional mount propagation is available only to privileged containers");
  }
}

function validateVolumeDevices(
  devices: readonly JsonValue[],
  mounts: Places,
  volumes: Volumes,
  path: FieldPath,
  errors: FieldErrors,
): void {
  const names = new Set<string>();
  const paths = new Set<string>();
  for (const [index, device] of devices.entries()) {
    if (errors.isFull) {
      return;
    }
    const name = textAt(device, "name");
    const namePath = path.index(index).child("name");
    const file = textAt(device, "devicePath");
    const filePath = path.index(index).child("devicePath");
    const volume = volumes.get(name);
    validateRequiredText(name, namePath, errors);
    if (names.has(name)) {
      errors.invalid(namePath, name, "must be unique");
    }
    if (volume === undefined) {
      errors.notFound(namePath, name);
    } else if (!isSet(volume, "persistentVolumeClaim") && !isSet(volume, "ephemeral")) {
      const detail = "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode";
      errors.invalid(namePath, name, detail);
    }
    validateRequiredText(file, filePath, errors);
    if (paths.has(file)) {
      errors.invalid(filePath, file, "must be unique");
    }
    if (hasBacksteps(file)) {
      errors.invalid(filePath, file, "can not contain backsteps ('..')");
    } else {
      paths.add(file);
    }
    if (mounts.names.has(name)) {
      errors.invalid(namePath, name, "must not already exist in volumeMounts");
    }
    if (mounts.paths.has(file)) {
      errors.invalid(filePath, file, "must not already exist as a path in volumeMounts");
    }
    if (name !== "") {
      names.add(name);
    }
  }
}
