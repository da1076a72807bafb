import { copySorted, encodeJson, setKey } from "@gatehouse/envelopes/codec";
import { goSyntaxValue } from "@gatehouse/envelopes/go";
import { isJsonObject, type JsonArray, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";
import { type ListSchema, type Schema, structuralSearch } from "@gatehouse/envelopes/schema";
import { type FieldError, hasEnoughErrors } from "@gatehouse/envelopes/status";
import { keyPath, memberPath } from "./walk-paths.js";

/** Returns an error for each repeated item of lists that are sets or maps, reported once, at the second place. */
export function listUniquenessErrors(schema: Schema, value: JsonValue): FieldError[] {
  const errors: FieldError[] = [];
  visit(schema, value, "", errors);
  return errors;
}

function visit(schema: Schema, value: JsonValue, path: string, errors: FieldError[]): void {
  if (!mayHoldLists(value) || hasEnoughErrors(errors) || !leadsToUniqueLists(schema)) {
    return;
  }
  if (Array.isArray(value)) {
    if (schema.type === "list") {
      validateList(schema, value, path, errors);
      for (let index = 0; index < value.length && leadsToUniqueLists(schema.items); index++) {
        visit(schema.items, value[index] as JsonValue, `${path}[${index}]`, errors);
      }
    }
    return;
  }
  for (const key of Object.keys(value)) {
    const member = value[key];
    if (!mayHoldLists(member)) {
      continue;
    }
    if (schema.type === "map") {
      visit(schema.values, member, keyPath(path, key), errors);
    } else if (schema.type === "object") {
      const field = schema.properties.get(key);
      if (field !== undefined) {
        visit(field.schema, member, memberPath(path, key), errors);
      }
    }
  }
}

function mayHoldLists(value: JsonValue | undefined): value is JsonArray | JsonObject {
  return typeof value === "object" && value !== null;
}

// Few schemas have such lists: most objects are not looked at.
const leadsToUniqueLists = structuralSearch(
  (schema) => schema.type === "list" && (schema.listType === "set" || schema.listType === "map"),
);

function validateList(schema: ListSchema, list: JsonArray, path: string, errors: FieldError[]): void {
  if (isPlainlyUnique(schema, list)) {
    return;
  }
  if (schema.listType === "set") {
    addDuplicates(list, path, errors);
  } else if (schema.listType === "map") {
    const odd = list.findIndex((item) => item !== null && !isJsonObject(item));
    if (odd >= 0) {
      const shown = goSyntaxValue(list[odd] as JsonValue);
      const message = `Invalid value: ${shown}: must be an object for an array of list-type map`;
      errors.push({ type: "FieldValueInvalid", field: `${path}[${odd}]`, message });
      return;
    }
    const names = schema.listMapKeys;
    const known = setOf(names);
    const keys = list.map((item) => keyOf(names, known, isJsonObject(item) ? item : {}));
    addDuplicates(keys, path, errors);
  }
}

/**
 * Reports whether a list surely holds no duplicates: one of distinct texts, or of items whose only key is one, as most
 * are. It makes no copies of keys, and so costs a fraction.
 */
function isPlainlyUnique({ listType, listMapKeys }: ListSchema, list: JsonArray): boolean {
  const [key = "", ...more] = listMapKeys;
  if (listType !== "set" && (listType !== "map" || key === "" || more.length > 0)) {
    return false;
  }
  const seen = new Set<string>();
  for (const item of list) {
    const text = listType === "set" ? item : isJsonObject(item) && Object.hasOwn(item, key) && item[key];
    if (typeof text !== "string") {
      return false;
    }
    seen.add(text);
  }
  return seen.size === list.length;
}

/** Returns the keys that identify an item of a map-like list. The list may name more of them. */
function keyOf(names: readonly string[], known: ReadonlySet<string>, item: JsonObject): JsonObject {
  const key: JsonObject = {};
  const members = Object.keys(item);
  const candidates = names.length <= members.length ? names : members.filter((name) => known.has(name));
  for (const name of candidates) {
    if (Object.hasOwn(item, name)) {
      setKey(key, name, item[name] as JsonValue);
    }
  }
  return key;
}

// A list of lists has the keys of the inner one at each of its items.
const knownKeys = new WeakMap<readonly string[], ReadonlySet<string>>();

function setOf(names: readonly string[]): ReadonlySet<string> {
  let known = knownKeys.get(names);
  if (known === undefined) {
    known = new Set(names);
    knownKeys.set(names, known);
  }
  return known;
}

function addDuplicates(list: readonly JsonValue[], path: string, errors: FieldError[]): void {
  const times = new Map<string, number>();
  for (let index = 0; index < list.length && !hasEnoughErrors(errors); index++) {
    const text = textOf(list[index] as JsonValue);
    const seen = times.get(text) ?? 0;
    times.set(text, seen + 1);
    if (seen === 1) {
      const message = `Duplicate value: ${goSyntaxValue(list[index] as JsonValue)}`;
      errors.push({ type: "FieldValueDuplicate", field: `${path}[${index}]`, message });
    }
  }
}

function textOf(value: JsonValue): string {
  return typeof value === "string" ? `"${value}` : encodeJson(copySorted(value));
}
