import {
  type FieldErrors,
  type FieldPath,
  validateFileMode,
  validateRequiredText,
} from "@gatehouse/apiserver/validation";
import { type JsonValue, objectAt, textAt } from "@gatehouse/envelopes/json";
import { validateNonReservedPath } from "../../../../validation/file-paths.js";

/** Validates the projection of a key to a file. */
export function validateKeyToPath(item: JsonValue, path: FieldPath, errors: FieldErrors): void {
  const file = textAt(item, "path");
  validateRequiredText(textAt(item, "key"), path.child("key"), errors);
  validateRequiredText(file, path.child("path"), errors);
  validateNonReservedPath(file, path.child("path"), errors);
  validateFileMode(objectAt(item)["mode"], path.child("mode"), errors);
}
