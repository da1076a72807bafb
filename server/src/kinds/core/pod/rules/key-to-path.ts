import { type JsonValue, objectAt, textAt } from "@gatehouse/envelopes";
import type { FieldErrors } from "../../../../rules/field-errors.js";
import type { FieldPath } from "../../../../rules/field-path.js";
import { checkNonReservedPath } from "../../../../rules/file-paths.js";
import { checkRequiredText } from "../../../../rules/names.js";
import { checkFileMode } from "../../../../rules/numbers.js";

/** Validates the projection of a key to a file. */
export function checkKeyToPath(item: JsonValue, path: FieldPath, errors: FieldErrors): void {
  const file = textAt(item, "path");
  checkRequiredText(textAt(item, "key"), path.child("key"), errors);
  checkRequiredText(file, path.child("path"), errors);
  checkNonReservedPath(file, path.child("path"), errors);
  checkFileMode(objectAt(item)["mode"], path.child("mode"), errors);
}
