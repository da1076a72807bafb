import { isSet, type JsonValue, textAt } from "@gatehouse/envelopes";
import type { FieldErrors } from "../field-errors.js";
import type { FieldPath } from "../field-path.js";
import { checkNoBacksteps } from "../file-paths.js";
import { checkRequiredText, checkSupported } from "../names.js";

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
