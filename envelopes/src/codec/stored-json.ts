import { isJsonObject, type JsonArray, type JsonObject, type JsonValue } from "../json/json.js";
import { encodeJson } from "./encode-json.js";
import { fieldsTextOf, setFieldsText } from "./fields-text.js";
import { parseExactIntegers } from "./parse-json.js";
import { endOfObject, RecentTexts } from "./recent-texts.js";

/**
 * The members that `encodeJson` writes before the fields of an entry, in whatever order it has them, and the brace
 * behind.
 */
const fieldsStart = '"fieldsType":"FieldsV1","fieldsV1":{';

/** A placeholder for a text that is kept apart. It is random, so that no client can send it. */
const mark = `fields of ${crypto.randomUUID()}`;
const quotedMark = JSON.stringify(mark);

const recent = new RecentTexts();

/** Returns the JSON of an object as it is stored; managed fields that are held as text are inserted as they are. */
export function encodeStoredJson(object: JsonObject): string {
  const { metadata } = object;
  const entries = isJsonObject(metadata) ? metadata["managedFields"] : undefined;
  const texts = Array.isArray(entries) ? entries.map(fieldsTextOf) : [];
  if (!texts.some((text) => text !== undefined)) {
    return encodeJson(object);
  }
  const owner = metadata as JsonObject;
  try {
    owner["managedFields"] = (entries as JsonArray).map((entry, i) => (texts[i] === undefined ? entry : marked(entry)));
    return withTexts(encodeJson(object), texts);
  } finally {
    owner["managedFields"] = entries;
  }
}

/** Returns a copy of an entry with the placeholder instead of its fields. */
function marked(entry: JsonValue): JsonObject {
  const copy: JsonObject = {};
  for (const key in entry as JsonObject) {
    copy[key] = key === "fieldsV1" ? mark : (entry as JsonObject)[key];
  }
  return copy;
}

function withTexts(json: string, texts: readonly (string | undefined)[]): string {
  let out = "";
  let from = 0;
  for (const text of texts) {
    if (text !== undefined) {
      const at = json.indexOf(quotedMark, from);
      out += json.slice(from, at) + text;
      from = at + quotedMark.length;
    }
  }
  return out + json.slice(from);
}

/**
 * Parses JSON that this program has written itself, so that only integers beyond 2^53 need care: they become bigint. What
 * managers own is left as text. Throws SyntaxError, or DecodeError, on what it cannot have written.
 */
export function parseStoredJson(json: string): JsonValue {
  const texts: string[] = [];
  let rest = "";
  let from = 0;
  for (let at = json.indexOf(fieldsStart); at !== -1; at = json.indexOf(fieldsStart, from)) {
    const start = at + fieldsStart.length - 1;
    const text = recent.startingAt(json, start) ?? recent.add(json.slice(start, endOfObject(json, start)));
    texts.push(text);
    rest += json.slice(from, start) + quotedMark;
    from = start + text.length;
  }
  if (texts.length === 0) {
    return parseExactIntegers(json);
  }
  const value = parseExactIntegers(rest + json.slice(from));
  // The same may stand elsewhere in an object, in a template for instance: then it is an object like any other.
  return giveTexts(value, texts) ? value : parseExactIntegers(json);
}

/** Sets each text on the entry from which it was taken; returns false if some come from elsewhere. */
function giveTexts(value: JsonValue, texts: readonly string[]): boolean {
  const metadata = isJsonObject(value) ? value["metadata"] : undefined;
  const entries = isJsonObject(metadata) ? metadata["managedFields"] : undefined;
  let given = 0;
  for (const entry of Array.isArray(entries) ? entries : []) {
    if (isJsonObject(entry) && entry["fieldsV1"] === mark) {
      setFieldsText(entry, texts[given++] as string);
    }
  }
  return given === texts.length;
}
