import { createHash } from "node:crypto";
import { type JsonObject, textAt } from "@gatehouse/envelopes/json";
import { StoreDamagedError } from "../../errors/errors.js";
import type { KeyValue } from "../../storage/store.js";
import type { ObjectContent } from "./backing-objects.js";
import { bytesOf, encodeFields } from "./fields.js";

/** The annotation of a record that has the revision of its key. */
export const revisionAnnotation = "storage.gatehouse.dev/revision";
/** Digits of the digest in a name: 160 bits, so that no two keys have the same. */
const digestDigits = 40;

/** Returns the name of the record of a key, which is made of a digest since keys are longer than names may be. */
export function recordName(store: string, key: string): string {
  return `${store}-${createHash("sha256").update(key).digest("hex").slice(0, digestDigits)}`;
}

/** Encodes the record of a key without a value: made before the key is committed, so that committing only replaces. */
export function encodePlaceholder(key: string): ObjectContent {
  return { annotations: { [revisionAnnotation]: "0" }, ...encodeFields({ key }) };
}

/** Encodes the record of a key. */
export function encodeRecord({ key, value, createRevision, modRevision, expiresAtMs }: KeyValue): ObjectContent {
  return {
    annotations: { [revisionAnnotation]: String(modRevision) },
    ...encodeFields(
      {
        key,
        createRevision: String(createRevision),
        ...(expiresAtMs !== undefined && { expiresAtMs: String(expiresAtMs) }),
      },
      { value },
    ),
  };
}

/** Returns the revision of the record of a key, of which the metadata is enough: 0 for one without a value. */
export function revisionOfRecord(object: JsonObject): number {
  return numberIn(object, textAt(object, "metadata", "annotations", revisionAnnotation));
}

/** Reads the record of a key. Throws StoreDamagedError for one that a store has not written. */
export function decodeRecord(object: JsonObject): { readonly key: string; readonly kv: KeyValue | undefined } {
  const key = textAt(object, "data", "key");
  if (key === "") {
    throw damaged(object, "it has no key");
  }
  const modRevision = revisionOfRecord(object);
  if (modRevision === 0) {
    return { key, kv: undefined };
  }
  const createRevision = numberIn(object, textAt(object, "data", "createRevision"));
  const value = valueIn(object);
  const expiry = textAt(object, "data", "expiresAtMs");
  const expires = expiry === "" ? {} : { expiresAtMs: numberIn(object, expiry) };
  return { key, kv: { key, value, createRevision, modRevision, ...expires } };
}

function valueIn(object: JsonObject): Buffer {
  try {
    return bytesOf(object, "value");
  } catch (cause) {
    throw damaged(object, cause instanceof Error ? cause.message : String(cause));
  }
}

function numberIn(object: JsonObject, text: string): number {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(number)) {
    throw damaged(object, `${JSON.stringify(text)} is no number`);
  }
  return number;
}

function damaged(object: JsonObject, detail: string): StoreDamagedError {
  const name = `${textAt(object, "kind")} ${textAt(object, "metadata", "name")}`;
  return new StoreDamagedError({ detail: `the ${name} is no record of a store: ${detail}` });
}
