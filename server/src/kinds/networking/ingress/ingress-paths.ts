import type { FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { isSet, type JsonObject, listAt, objectAt, textAt } from "@gatehouse/envelopes/json";
import { validateIngressBackend } from "./ingress-backend.js";

const pathTypes = ["Exact", "ImplementationSpecific", "Prefix"];

/** Parts of a path that servers may normalize to another path. */
const ambiguousParts = ["//", "/./", "/../", "%2f", "%2F"];
const ambiguousEnds = ["/..", "/."];

/** Validates the paths of a host, at least one. */
export function validateHttpRule(http: JsonObject, path: FieldPath, errors: FieldErrors): void {
  const paths = listAt(http, "paths");
  if (paths.length === 0) {
    errors.required(path.child("paths"));
  }
  for (const [index, item] of paths.entries()) {
    if (errors.isFull) {
      return;
    }
    validateHttpPath(objectAt(item), path.child("paths").index(index), errors);
  }
}

function validateHttpPath(item: JsonObject, path: FieldPath, errors: FieldErrors): void {
  if (!isSet(item, "pathType")) {
    errors.required(path.child("pathType"), "pathType must be specified");
    return;
  }
  const type = textAt(item, "pathType");
  const text = textAt(item, "path");
  switch (type) {
    case "Exact":
    case "Prefix":
      validatePlainPath(text, path.child("path"), errors);
      break;
    case "ImplementationSpecific":
      if (text !== "" && !text.startsWith("/")) {
        errors.invalid(path.child("path"), text, "must be an absolute path");
      }
      break;
    default:
      errors.notSupported(path.child("pathType"), type, pathTypes);
  }
  validateIngressBackend(objectAt(item, "backend"), path.child("backend"), errors);
}

function validatePlainPath(text: string, path: FieldPath, errors: FieldErrors): void {
  if (!text.startsWith("/")) {
    errors.invalid(path, text, "must be an absolute path");
  }
  for (const part of ambiguousParts.filter((item) => text.includes(item))) {
    errors.invalid(path, text, `must not contain '${part}'`);
  }
  for (const end of ambiguousEnds.filter((item) => text.endsWith(item))) {
    errors.invalid(path, text, `cannot end with '${end}'`);
  }
}
