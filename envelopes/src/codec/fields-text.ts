import { isJsonObject, type JsonObject, type JsonValue } from "../json/json.js";
import type { Field } from "../schema/schema.js";

/*
 * The `fieldsV1` of a managed-fields entry is often longer than the rest of its object, and nobody looks into it but who
 * keeps track of owners. So an entry can hold it as text: it is parsed when the member is first read, and is a member like
 * any other from then on.
 */

/** Reports whether a member is one whose value can be held as text. */
export function isFieldsText({ schema }: Field): boolean {
  return schema.type === "json" && schema.form === "fields";
}

const held = Symbol("fieldsV1 as text");

interface Entry extends JsonObject {
  [held]?: string;
}

const lazyMember: PropertyDescriptor & ThisType<Entry> = {
  enumerable: true,
  configurable: true,
  get() {
    const value = JSON.parse(this[held] as string) as JsonValue;
    settle(this, value);
    return value;
  },
  set(value: JsonValue) {
    settle(this, value);
  },
};

function settle(entry: Entry, value: JsonValue): void {
  Object.defineProperty(entry, "fieldsV1", { value, enumerable: true, configurable: true, writable: true });
}

/** Sets an entry's `fieldsV1` to JSON text, as `encodeJson` would write it. A member of that name keeps its place. */
export function setFieldsText(entry: JsonObject, text: string): void {
  Object.defineProperty(entry, held, { value: text, configurable: true, writable: true });
  Object.defineProperty(entry, "fieldsV1", lazyMember);
}

/** Returns the `fieldsV1` of an entry as text; undefined when it is not held as such, or no longer. */
export function fieldsTextOf(entry: JsonValue | undefined): string | undefined {
  return isJsonObject(entry) && Object.getOwnPropertyDescriptor(entry, "fieldsV1")?.get === lazyMember.get
    ? (entry as Entry)[held]
    : undefined;
}
