import { encodeJson, fieldsTextOf, setFieldsText } from "@gatehouse/envelopes/codec";
import { goQuote } from "@gatehouse/envelopes/go";
import { isJsonObject, type JsonArray, type JsonObject, type JsonValue, textAt } from "@gatehouse/envelopes/json";
import { type FieldSet, inOrderOfNumbers, isEmpty } from "./field-set.js";
import { FieldsError } from "./fields-error.js";
import { parseFieldsV1 } from "./fields-v1.js";
import { inOrderOfBytes, setOfText, textOfSet } from "./known-sets.js";

/** The operation by which a manager got its fields: an applier may remove them by leaving them out. */
export type Operation = "Apply" | "Update";

/** The identity of an owner of fields. An applier is the same in every version of a kind. */
export interface ManagerIdentity {
  readonly manager: string;
  readonly operation: Operation;
  /** The version in which the fields are owned; empty for appliers. */
  readonly apiVersion: string;
  /** The subresource that was written; empty for the object itself. */
  readonly subresource: string;
}

/** The fields of one manager (ManagedFieldsEntry of meta/v1). */
export interface ManagedEntry extends ManagerIdentity {
  /** The version in whose names the fields are. */
  readonly apiVersion: string;
  /** The time as the entry has it; undefined when it has none. */
  readonly time: string | undefined;
  readonly fields: FieldSet;
}

/** All managers of an object, by their keys. */
export type Managers = ReadonlyMap<string, ManagedEntry>;

/** Returns the name by which a manager is found again, and by which managers are listed in messages. */
export function managerKey({ manager, operation, apiVersion, subresource }: ManagerIdentity): string {
  const key: JsonObject = {};
  if (manager !== "") {
    key["manager"] = manager;
  }
  key["operation"] = operation;
  if (operation !== "Apply" && apiVersion !== "") {
    key["apiVersion"] = apiVersion;
  }
  if (subresource !== "") {
    key["subresource"] = subresource;
  }
  return encodeJson(key);
}

/**
 * Reads `metadata.managedFields`. Sets that the server has written are taken as they are, those of clients are read with
 * care. Throws FieldsError when v1.29 could not read an entry.
 */
export function readManagers(entries: JsonValue | undefined, from: "store" | "client"): Managers {
  const managers = new Map<string, ManagedEntry>();
  const list = Array.isArray(entries) ? entries : [];
  for (const [index, value] of list.entries()) {
    const entry = isJsonObject(value) ? value : {};
    const operation = textAt(entry, "operation");
    if (operation !== "Apply" && operation !== "Update") {
      throw new FieldsError("operation must be `Apply` or `Update`");
    }
    const apiVersion = textAt(entry, "apiVersion");
    if (apiVersion === "") {
      throw new FieldsError("apiVersion must not be empty");
    }
    checkFieldsType(textAt(entry, "fieldsType"), index);
    const manager = textAt(entry, "manager");
    const subresource = textAt(entry, "subresource");
    const time = textAt(entry, "time");
    const fields = from === "store" ? storedFieldsOf(entry) : parseFieldsV1(entry["fieldsV1"]);
    const read = { manager, operation, apiVersion, subresource, time: time === "" ? undefined : time, fields } as const;
    managers.set(managerKey(read), read);
  }
  return managers;
}

function storedFieldsOf(entry: JsonObject): FieldSet {
  const text = fieldsTextOf(entry);
  return text === undefined ? inOrderOfNumbers((entry["fieldsV1"] ?? {}) as FieldSet) : setOfText(text);
}

function checkFieldsType(fieldsType: string, index: number): void {
  if (fieldsType === "") {
    throw new FieldsError(`missing fieldsType in managed fields entry ${index}`);
  }
  if (fieldsType !== "FieldsV1") {
    throw new FieldsError(`invalid fieldsType ${goQuote(fieldsType)} in managed fields entry ${index}`);
  }
}

/**
 * Returns the managers as `metadata.managedFields`: appliers first, then by time and name. Undefined when there are
 * none.
 */
export function writeManagers(managers: Managers): JsonArray | undefined {
  if (managers.size === 0) {
    return undefined;
  }
  return [...managers.values()].sort(compareEntries).map(writeEntry);
}

function compareEntries(a: ManagedEntry, b: ManagedEntry): number {
  return (
    compareTexts(a.operation, b.operation) ||
    secondsOf(a.time) - secondsOf(b.time) ||
    compareTexts(a.manager, b.manager) ||
    compareTexts(a.apiVersion, b.apiVersion) ||
    compareTexts(a.subresource, b.subresource)
  );
}

/** Returns a time as seconds since the epoch; 0 when there is none. */
export function secondsOf(time: string | undefined): number {
  return time === undefined ? 0 : Math.floor(Date.parse(time) / 1000);
}

/** Compares texts in the order in which managers are listed. */
export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function writeEntry({ manager, operation, apiVersion, time, fields, subresource }: ManagedEntry): JsonObject {
  return managerEntry({ manager, operation, apiVersion, subresource }, time, textOfSet(fields));
}

/** Makes an entry of `metadata.managedFields`, its fields as text. */
export function managerEntry(
  { manager, operation, apiVersion, subresource }: ManagerIdentity,
  time: string | undefined,
  fieldsText: string,
): JsonObject {
  const entry: JsonObject = {};
  if (manager !== "") {
    entry["manager"] = manager;
  }
  entry["operation"] = operation;
  entry["apiVersion"] = apiVersion;
  if (time !== undefined) {
    entry["time"] = time;
  }
  entry["fieldsType"] = "FieldsV1";
  setFieldsText(entry, fieldsText);
  if (subresource !== "") {
    entry["subresource"] = subresource;
  }
  return entry;
}

/**
 * Returns the entries of a custom object with all keys in order. Undefined when they are not as the server writes them,
 * and still have to be read.
 */
export function sortedEntries(entries: JsonValue | undefined): JsonArray | undefined {
  const list = Array.isArray(entries) ? entries : [];
  const sorted: JsonArray = [];
  for (const entry of list) {
    const text = fieldsTextOf(entry);
    if (text === undefined) {
      return undefined;
    }
    const copy: JsonObject = {};
    for (const name of Object.keys(entry as JsonObject).sort()) {
      if (name === "fieldsV1") {
        setFieldsText(copy, inOrderOfBytes(text));
      } else {
        copy[name] = (entry as JsonObject)[name];
      }
    }
    sorted.push(copy);
  }
  return sorted;
}

/** Returns the managers that own at least one field. */
export function withoutIdle(managers: Managers): Managers {
  return new Map([...managers].filter(([, { fields }]) => !isEmpty(fields)));
}

/** Returns an object without managedFields; the same object when it has none. */
export function withoutManagers(object: JsonObject): JsonObject {
  const { metadata } = object;
  if (!isJsonObject(metadata) || metadata["managedFields"] === undefined) {
    return object;
  }
  const { managedFields: _managedFields, ...rest } = metadata;
  return { ...object, metadata: rest };
}
