import {
  type FieldErrors,
  type FieldPath,
  validateFileMode,
  validateRequiredText,
} from "@gatehouse/apiserver/validation";
import { integerAt, isSet, type JsonValue, listAt, objectAt, textAt } from "@gatehouse/envelopes/json";
import { validateDownwardFile } from "./downward-api.js";
import { validateKeyToPath } from "./key-to-path.js";
import type { PodOptions } from "./pod-options.js";
import { validateTrustBundle } from "./trust-bundle.js";

/** The least lifetime of a token in seconds; `mostExpiration` is the greatest. */
const leastExpiration = 10 * 60;
const mostExpiration = 2 ** 32;

/** Validates a projected volume: files of several sources in one folder, each with a path of its own. */
export function validateProjected(value: JsonValue, path: FieldPath, errors: FieldErrors, options: PodOptions): void {
  validateFileMode(objectAt(value)["defaultMode"], path.child("defaultMode"), errors);
  const files = new Set<string>();
  const taken = (file: string, shown: string): void => {
    if (files.has(file)) {
      errors.invalid(path, shown, "conflicting duplicate paths");
    }
    files.add(file);
  };
  for (const [index, source] of listAt(value, "sources").entries()) {
    if (errors.isFull) {
      return;
    }
    const at = path.child("sources").index(index);
    const members = objectAt(source);
    for (const name of ["secret", "configMap"].filter((kind) => isSet(members, kind))) {
      validateItems(members[name], at.child(name), errors, taken);
    }
    validateFiles(source, at.child("downwardAPI"), errors, options, taken);
    if (isSet(source, "serviceAccountToken")) {
      validateToken(members["serviceAccountToken"], at.child("serviceAccountToken"), path, errors);
    }
    if (isSet(source, "clusterTrustBundle")) {
      validateTrustBundle(members["clusterTrustBundle"], at.child("clusterTrustBundlePEM"), errors);
      const file = textAt(source, "clusterTrustBundle", "path");
      taken(file, file);
    }
    if (kinds.filter((kind) => isSet(source, kind)).length > 1) {
      errors.forbidden(at, "may not specify more than 1 volume type");
    }
  }
}

const kinds = ["secret", "configMap", "downwardAPI", "serviceAccountToken", "clusterTrustBundle"];

function validateItems(
  source: JsonValue | undefined,
  path: FieldPath,
  errors: FieldErrors,
  taken: (file: string, shown: string) => void,
): void {
  const name = textAt(source, "name");
  validateRequiredText(name, path.child("name"), errors);
  for (const [index, item] of listAt(source, "items").entries()) {
    if (errors.isFull) {
      return;
    }
    validateKeyToPath(item, path.child("items").index(index), errors);
    const file = textAt(item, "path");
    if (file !== "") {
      taken(file, name);
    }
  }
}

function validateFiles(
  source: JsonValue,
  path: FieldPath,
  errors: FieldErrors,
  options: PodOptions,
  taken: (file: string, shown: string) => void,
): void {
  for (const item of listAt(source, "downwardAPI", "items")) {
    if (errors.isFull) {
      return;
    }
    validateDownwardFile(item, path, errors, options);
    const file = textAt(item, "path");
    if (file !== "") {
      taken(file, file);
    }
  }
}

/** Validates the projection of a token. As in v1.29, the error of a missing path is at the volume. */
function validateToken(
  token: JsonValue | undefined,
  path: FieldPath,
  volumePath: FieldPath,
  errors: FieldErrors,
): void {
  const seconds = integerAt(token, "expirationSeconds");
  if (seconds < leastExpiration) {
    errors.invalid(path.child("expirationSeconds"), seconds, "may not specify a duration less than 10 minutes");
  }
  if (seconds > mostExpiration) {
    errors.invalid(path.child("expirationSeconds"), seconds, "may not specify a duration larger than 2^32 seconds");
  }
  validateRequiredText(textAt(token, "path"), volumePath.child("path"), errors);
}
