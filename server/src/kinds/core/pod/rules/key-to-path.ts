import { checkFileMode, checkRequiredText, type FieldErrors, type FieldPath } from "@gatehouse/apiserver/validation";
import { type JsonValue, objectAt, textAt } from "@gatehouse/envelopes/json";
import { checkNonReservedPath } from "../../../../validation/file-paths.js";

/** Validates the projection of a key to a file. */
export function checkKeyToPath(item: JsonValue, path: FieldPath, errors: FieldErrors): void {
  const file = textAt(item, "path");
  checkRequiredText(textAt(item, "key"), path.child("key"), errors);
  checkRequiredText(file, path.child("path"), errors);
  checkNonReservedPath(file, path.child("path"), errors);
  checkFileMode(objectAt(item)["mode"], path.child("mode"), errors);
}
