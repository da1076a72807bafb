import {
  type FieldErrors,
  type FieldPath,
  quantityOf,
  textOf,
  validateFileMode,
  validateFormat,
  validateRequiredText,
} from "@gatehouse/apiserver/validation";
import { toLower } from "@gatehouse/envelopes/go";
import { isSet, type JsonValue, objectAt, textAt, valueAt } from "@gatehouse/envelopes/json";
import { validateQualifiedName } from "@gatehouse/envelopes/validation";
import { validateNonReservedPath } from "../../../../validation/file-paths.js";
import type { PodOptions } from "./pod-options.js";

/** Pod fields that a container can read, by the way it reads them. Sorted, as v1.29 lists them. */
const readableFields = {
  environment: [
    "metadata.name",
    "metadata.namespace",
    "metadata.uid",
    "spec.nodeName",
    "spec.serviceAccountName",
    "status.hostIP",
    "status.hostIPs",
    "status.podIP",
    "status.podIPs",
  ],
  volume: ["metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid"],
} as const;

/** All pod fields that v1.29 knows, however they are read. */
const knownFields: ReadonlySet<string> = new Set([
  ...readableFields.environment,
  ...readableFields.volume,
  "spec.restartPolicy",
  "spec.schedulerName",
  "status.phase",
]);

const maps = ["metadata.annotations", "metadata.labels"];

/** Validates a reference to a pod field: `metadata.name`, or one key of a map: `metadata.labels['a']`. */
export function validateFieldReference(
  reference: JsonValue | undefined,
  use: keyof typeof readableFields,
  path: FieldPath,
  errors: FieldErrors,
): void {
  const version = textAt(reference, "apiVersion");
  const field = textAt(reference, "fieldPath");
  if (
    !validateRequiredText(version, path.child("apiVersion"), errors) ||
    !validateRequiredText(field, path.child("fieldPath"), errors)
  ) {
    return;
  }
  const [map, key] = splitKey(field);
  const problem = conversionProblem(version, field, map);
  if (problem !== undefined) {
    errors.invalid(path.child("fieldPath"), field, `error converting fieldPath: ${problem}`);
    return;
  }
  if (key !== undefined) {
    // Case does not matter in keys of annotations.
    validateFormat(map === "metadata.annotations" ? toLower(key) : key, validateQualifiedName, path, errors);
    return;
  }
  const name = field === "spec.host" ? "spec.nodeName" : field;
  const readable: readonly string[] = readableFields[use];
  if (!readable.includes(name)) {
    errors.notSupported(path.child("fieldPath"), name, readable);
  }
}

function splitKey(field: string): readonly [map: string, key: string | undefined] {
  const start = field.indexOf("['");
  return field.endsWith("']") && start > 0 && start <= field.length - 4
    ? [field.slice(0, start), field.slice(start + 2, -2)]
    : [field, undefined];
}

function conversionProblem(version: string, field: string, map: string): string | undefined {
  if (version !== "v1") {
    return `unsupported pod version: ${version}`;
  }
  if (map !== field) {
    return maps.includes(map) ? undefined : `field label does not support subscript: ${field}`;
  }
  return knownFields.has(field) || field === "spec.host" ? undefined : `field label not supported: ${field}`;
}

/** Validates that `status.hostIPs` is read only if the feature is enabled. */
export function validateHostIpsReference(
  reference: JsonValue | undefined,
  path: FieldPath,
  errors: FieldErrors,
  options: PodOptions,
): void {
  if (!options.allowHostIps && textAt(reference, "fieldPath") === "status.hostIPs") {
    errors.forbidden(path, "may not be set when feature gate 'PodHostIPs' is not enabled");
  }
}

/** Resource amounts of a container that containers can read. */
const readableResources = [
  "limits.cpu",
  "limits.ephemeral-storage",
  "limits.memory",
  "requests.cpu",
  "requests.ephemeral-storage",
  "requests.memory",
];
const hugePages = ["limits.hugepages-", "requests.hugepages-"];

/** Validates a reference to a resource amount of a container, which must be named if `inVolume`. */
export function validateResourceReference(
  reference: JsonValue | undefined,
  inVolume: boolean,
  path: FieldPath,
  errors: FieldErrors,
): void {
  const resource = textAt(reference, "resource");
  const isHugePages = hugePages.some((prefix) => resource.startsWith(prefix));
  if (inVolume && textAt(reference, "containerName") === "") {
    errors.required(path.child("containerName"));
  } else if (resource === "") {
    errors.required(path.child("resource"));
  } else if (!readableResources.includes(resource) && !isHugePages) {
    errors.notSupported(path.child("resource"), resource, readableResources);
  }
  validateDivisor(valueAt(reference, "divisor"), resource, isHugePages, path.child("divisor"), errors);
}

const byteUnits = ["1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei"];

/** v1.29's names of the resources that are measured in bytes. */
const units: ReadonlyMap<string, string> = new Map([
  ["memory", "memory"],
  ["ephemeral-storage", "local ephemeral storage"],
]);

function validateDivisor(
  divisor: JsonValue | undefined,
  resource: string,
  isHugePages: boolean,
  path: FieldPath,
  errors: FieldErrors,
): void {
  if (quantityOf(divisor).unscaled === 0n) {
    return;
  }
  const text = textOf(divisor);
  const kind = readableResources.includes(resource) ? resource.slice(resource.indexOf(".") + 1) : "";
  if (kind === "cpu" && text !== "1m" && text !== "1") {
    errors.invalid(path, resource, "only divisor's values 1m and 1 are supported with the cpu resource");
  }
  const counted = isHugePages ? "hugepages" : units.get(kind);
  if (counted !== undefined && !byteUnits.includes(text)) {
    const detail = `only divisor's values ${byteUnits.join(", ")} are supported with the ${counted} resource`;
    errors.invalid(path, resource, detail);
  }
}

/** Validates a file of a downward API volume. */
export function validateDownwardFile(file: JsonValue, path: FieldPath, errors: FieldErrors, options: PodOptions): void {
  const name = textAt(file, "path");
  validateRequiredText(name, path.child("path"), errors);
  validateNonReservedPath(name, path.child("path"), errors);
  if (isSet(file, "fieldRef")) {
    const reference = objectAt(file, "fieldRef");
    validateFieldReference(reference, "volume", path.child("fieldRef"), errors);
    if (isSet(file, "resourceFieldRef")) {
      errors.invalid(path, "resource", "fieldRef and resourceFieldRef can not be specified simultaneously");
    }
    validateHostIpsReference(reference, path.child("fieldRef"), errors, options);
  } else if (isSet(file, "resourceFieldRef")) {
    validateResourceReference(valueAt(file, "resourceFieldRef"), true, path.child("resourceFieldRef"), errors);
  } else {
    errors.required(path, "one of fieldRef and resourceFieldRef is required");
  }
  validateFileMode(valueAt(file, "mode"), path.child("mode"), errors);
}
