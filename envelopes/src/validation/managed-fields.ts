import { isJsonObject, type JsonObject, type JsonValue } from "../json/json.js";
import { type FieldError, fieldError, hasEnoughErrors } from "../status/field-error.js";

const maxManagerBytes = 128;
const maxSubresourceBytes = 256;

/** Checks the shape of managed-field entries (ManagedFieldsEntry of meta/v1). */
export function validateManagedFields(entries: JsonValue | undefined, field: string): FieldError[] {
  const errors: FieldError[] = [];
  const list = Array.isArray(entries) ? entries : [];
  for (let index = 0; index < list.length; index++) {
    const entry = list[index];
    if (isJsonObject(entry) && !hasEnoughErrors(errors)) {
      errors.push(...validateEntry(entry, `${field}[${index}]`));
    }
  }
  return errors;
}

function validateEntry(entry: JsonObject, field: string): FieldError[] {
  const errors: FieldError[] = [];
  const operation = text(entry["operation"]);
  if (operation !== "Apply" && operation !== "Update") {
    errors.push(fieldError.invalid(`${field}.operation`, operation, "must be `Apply` or `Update`"));
  }
  const fieldsType = text(entry["fieldsType"]);
  if (fieldsType !== "" && fieldsType !== "FieldsV1") {
    errors.push(fieldError.invalid(`${field}.fieldsType`, fieldsType, "must be `FieldsV1`"));
  }
  errors.push(...validateFieldManager(text(entry["manager"]), `${field}.manager`));
  if (Buffer.byteLength(text(entry["subresource"])) > maxSubresourceBytes) {
    errors.push(fieldError.tooLong(`${field}.subresource`, maxSubresourceBytes));
  }
  return errors;
}

/** Checks a field manager's name, in an entry or as a query parameter: printable, and not too long. */
export function validateFieldManager(manager: string, field: string): FieldError[] {
  if (manager.length <= maxManagerBytes && /^[ -~]*$/.test(manager)) {
    return [];
  }
  const errors: FieldError[] = [];
  if (Buffer.byteLength(manager) > maxManagerBytes) {
    errors.push(fieldError.tooLong(field, maxManagerBytes));
  }
  let position = 0;
  for (const character of manager) {
    if (hasEnoughErrors(errors)) {
      break;
    }
    // Of the spaces, only the plain one counts as printable.
    if (character !== " " && !/^[\p{L}\p{M}\p{N}\p{P}\p{S}]$/u.test(character)) {
      const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
      errors.push(fieldError.invalid(field, manager, `invalid character U+${code} (at position ${position})`));
    }
    position += Buffer.byteLength(character);
  }
  return errors;
}

function text(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}
