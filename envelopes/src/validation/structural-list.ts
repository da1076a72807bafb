import { isJsonObject, type JsonValue } from "../json.js";
import type { ListSchema } from "../schema/schema.js";
import { type FieldError, fieldError, hasEnoughErrors } from "../status/field-error.js";

/** Reports the items of a list that repeat an earlier one: by value in a set, by their keys in a map. */
export function findDuplicates(
  schema: ListSchema,
  items: readonly JsonValue[],
  pathOf: (index: number) => string,
): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, item] of items.entries()) {
    const identity = schema.listType === "map" ? keysText(schema, item) : valueText(item);
    if (hasEnoughErrors(errors)) {
      break;
    }
    if (identity === undefined) {
      continue;
    }
    if (seen.has(identity)) {
      errors.push(
        schema.listType === "map" ? duplicateKeys(pathOf(index), identity) : fieldError.duplicate(pathOf(index), item),
      );
    }
    seen.add(identity);
  }
  return errors;
}

/** The keys of an item in Go notation, as kube-apiserver shows them; undefined if the item has not all of them. */
function keysText(schema: ListSchema, item: JsonValue): string | undefined {
  if (!isJsonObject(item)) {
    return undefined;
  }
  const members: string[] = [];
  for (const key of schema.listMapKeys.toSorted()) {
    const value = item[key];
    if (value === undefined || typeof value === "object") {
      return undefined;
    }
    members.push(`${JSON.stringify(key)}:${valueText(value)}`);
  }
  return `map[string]interface {}{${members.join(", ")}}`;
}

function duplicateKeys(field: string, keys: string): FieldError {
  return { type: "FieldValueDuplicate", field, message: `Duplicate value: ${keys}` };
}

function valueText(value: JsonValue): string {
  return JSON.stringify(value, (_key, item: unknown) => (typeof item === "bigint" ? `${item}n` : item));
}
