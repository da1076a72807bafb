import { fieldsTextOf } from "@gatehouse/envelopes/codec";
import { isJsonObject, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";
import { metaOf } from "../objects/object-meta.js";
import { isSameValue } from "./typed-value.js";

/** The comparison of two states of an object in every member. */
interface Sameness {
  isSame(object: JsonObject, old: JsonObject): boolean;
}

/**
 * Puts back, in place, the times of managers where nothing else has changed: that is no reason to write an object. A list
 * or map that was sent empty is a change where there was none.
 */
export function keepTimesIfUnchanged(object: JsonObject, old: JsonObject, form: Sameness): void {
  const entries = entriesOf(object);
  const before = entriesOf(old);
  if (entries.length === 0 || entries.length !== before.length || !differInTimesOnly(entries, before)) {
    return;
  }
  const meta = metaOf(object);
  const managedFields = meta["managedFields"];
  meta["managedFields"] = before as JsonValue[];
  if (!form.isSame(object, old)) {
    meta["managedFields"] = managedFields;
  }
}

function entriesOf(object: JsonObject): readonly JsonValue[] {
  const entries = metaOf(object)["managedFields"];
  return Array.isArray(entries) ? entries : [];
}

/** Reports whether entries differ in times only, and do differ. */
function differInTimesOnly(entries: readonly JsonValue[], before: readonly JsonValue[]): boolean {
  return (
    entries.some((entry, i) => timeOf(entry) !== timeOf(before[i])) &&
    entries.every((entry, i) => isSameButTime(entry, before[i]))
  );
}

function timeOf(entry: JsonValue | undefined): JsonValue | undefined {
  return isJsonObject(entry) ? entry["time"] : undefined;
}

function isSameButTime(entry: JsonValue, before: JsonValue | undefined): boolean {
  if (!isJsonObject(entry) || !isJsonObject(before)) {
    return isSameValue(entry, before);
  }
  const names = new Set([...Object.keys(entry), ...Object.keys(before)]);
  // The longest comes last: mostly it need not be looked at.
  names.delete("time");
  names.delete("fieldsV1");
  return [...names].every((name) => isSameValue(entry[name], before[name])) && haveSameFields(entry, before);
}

function haveSameFields(entry: JsonObject, before: JsonObject): boolean {
  const text = fieldsTextOf(entry);
  return (text !== undefined && text === fieldsTextOf(before)) || isSameValue(entry["fieldsV1"], before["fieldsV1"]);
}
