import { createHash } from "node:crypto";
import { type JsonObject, textAt } from "@gatehouse/envelopes/json";
import { StoreDamagedError } from "../../errors/errors.js";
import type { KeyValue } from "../../storage/store.js";
import type { ConfigMapContent } from "./config-maps.js";

const revisionAnnotation = "storage.gatehouse.dev/revision";
/** Digits of the digest in a name: 160 bits, so that no two keys have the same. */
const digestDigits = 40;

/** Returns the name of the ConfigMap of a key, which is made of a digest since keys are longer than names may be. */
export function recordName(store: string, key: string): string {
  return `${store}-${createHash("sha256").update(key).digest("hex").slice(0, digestDigits)}`;
}

/** Encodes the ConfigMap of a key without a value: made before the key is committed, so that committing only replaces. */
export function encodePlaceholder(key: string): ConfigMapContent {
  return { annotations: { [revisionAnnotation]: "0" }, data: { key }, binaryData: {} };
}

/** Encodes the ConfigMap of a key. */
export function encodeRecord({ key, value, createRevision, modRevision, expiresAtMs }: KeyValue): ConfigMapContent {
  return {
    annotations: { [revisionAnnotation]: String(modRevision) },
    data: {
      key,
      createRevision: String(createRevision),
      ...(expiresAtMs !== undefined && { expiresAtMs: String(expiresAtMs) }),
    },
    binaryData: { value: value.toString("base64") },
  };
}

/** Returns the revision of the ConfigMap of a key, of which the metadata is enough: 0 for one without a value. */
export function revisionOfRecord(object: JsonObject): number {
  return numberIn(object, textAt(object, "metadata", "annotations", revisionAnnotation));
}

/** Reads the ConfigMap of a key. Throws StoreDamagedError for one that a store has not written. */
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
  const value = Buffer.from(textAt(object, "binaryData", "value"), "base64");
  const expiry = textAt(object, "data", "expiresAtMs");
  const expires = expiry === "" ? {} : { expiresAtMs: numberIn(object, expiry) };
  return { key, kv: { key, value, createRevision, modRevision, ...expires } };
}

function numberIn(object: JsonObject, text: string): number {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(number)) {
    throw damaged(object, `${JSON.stringify(text)} is no number`);
  }
  return number;
}

function damaged(object: JsonObject, detail: string): StoreDamagedError {
  const name = textAt(object, "metadata", "name");
  return new StoreDamagedError({ detail: `the ConfigMap ${name} is no record of a store: ${detail}` });
}
