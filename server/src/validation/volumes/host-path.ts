import {
  type FieldErrors,
  type FieldPath,
  validateRequiredText,
  validateSupported,
} from "@gatehouse/apiserver/validation";
import { isSet, type JsonValue, textAt } from "@gatehouse/envelopes/json";
import { validateNoBacksteps } from "../file-paths.js";

const hostPathTypes = [
  "",
  "BlockDevice",
  "CharDevice",
  "Directory",
  "DirectoryOrCreate",
  "File",
  "FileOrCreate",
  "Socket",
];

/** Validates a file or folder of the node. */
export function validateHostPath(hostPath: JsonValue, path: FieldPath, errors: FieldErrors): void {
  const file = textAt(hostPath, "path");
  if (!validateRequiredText(file, path.child("path"), errors)) {
    return;
  }
  validateNoBacksteps(file, path.child("path"), errors);
  if (isSet(hostPath, "type")) {
    validateSupported(textAt(hostPath, "type"), hostPathTypes, path.child("type"), errors);
  }
}
