import { checkRequiredText, checkSupported, type FieldErrors, type FieldPath } from "@gatehouse/apiserver/validation";
import { isSet, type JsonValue, textAt } from "@gatehouse/envelopes/json";
import { checkNoBacksteps } from "../file-paths.js";

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
export function checkHostPath(hostPath: JsonValue, path: FieldPath, errors: FieldErrors): void {
  const file = textAt(hostPath, "path");
  if (!checkRequiredText(file, path.child("path"), errors)) {
    return;
  }
  checkNoBacksteps(file, path.child("path"), errors);
  if (isSet(hostPath, "type")) {
    checkSupported(textAt(hostPath, "type"), hostPathTypes, path.child("type"), errors);
  }
}
