import { encodeJson, type JsonObject, type JsonValue } from "@gatehouse/envelopes";
import { endOfObject } from "../objects/end-of-object.js";
import { metaOf, type ObjectMeta } from "../objects/object-meta.js";
import type { CacheEntry } from "../storage/cache/cache-entry.js";
import { foregroundFinalizer, orphanFinalizer } from "../verbs/deletion/deletion-finalizers.js";

/**
 * Looking at stored objects without parsing them: controllers see every change of every object, and few of them concern
 * them. Objects are stored in canonical form, metadata first. Bytes alone only tell what an object is not: any text that
 * is looked for may also stand in its data.
 */

const metadataMark = Buffer.from('"metadata":{');
const uidMark = Buffer.from('"uid":"');
const ownersMark = Buffer.from('"ownerReferences":[');
const terminatingMark = Buffer.from('"deletionTimestamp":"');

/** Finalizers that the garbage collector takes off again. */
const collectionFinalizers: ReadonlySet<string> = new Set([foregroundFinalizer, orphanFinalizer]);
const collectionMarks = [...collectionFinalizers].map((finalizer) => Buffer.from(JSON.stringify(finalizer)));

/** Only kind and apiVersion come before the metadata. */
const metadataAtMost = 600;

const quote = 0x22;

/** The metadata of an entry, parsed; the rest of the object is not. */
export function metadataOf(entry: CacheEntry): ObjectMeta {
  const { bytes } = entry;
  const at = bytes.indexOf(metadataMark);
  const end = at < 0 || at > metadataAtMost ? -1 : endOfObject(bytes, at + metadataMark.length - 1);
  return end < 0
    ? metaOf(entry.object())
    : (JSON.parse(bytes.toString("utf8", at + metadataMark.length - 1, end)) as ObjectMeta);
}

/** False for sure when it has none; true when the object or something inside of it has. */
export function mayHaveOwners(entry: CacheEntry): boolean {
  return entry.bytes.includes(ownersMark);
}

/** Whether the object itself is being deleted. Only the metadata of those that may be is parsed. */
export function isTerminating(entry: CacheEntry): boolean {
  return entry.bytes.includes(terminatingMark) && metadataOf(entry).deletionTimestamp !== undefined;
}

/** Whether the object is being deleted, and waits for the garbage collector to delete or orphan its dependents. */
export function awaitsCollection(entry: CacheEntry): boolean {
  const { bytes } = entry;
  if (!bytes.includes(terminatingMark) || !collectionMarks.some((mark) => bytes.includes(mark))) {
    return false;
  }
  const { deletionTimestamp, finalizers = [] } = metadataOf(entry);
  return deletionTimestamp !== undefined && finalizers.some((finalizer) => collectionFinalizers.has(finalizer));
}

/** Owner references as they stand in the bytes of the object, to find out whether they are still the same. */
export function ownerReferencesText(metadata: JsonObject): Buffer {
  return Buffer.from(`"ownerReferences":${encodeJson(metadata["ownerReferences"] as JsonValue)}`);
}

/** True only if the object itself, not something inside of it, has exactly these owner references. */
export function hasOwnerReferences(entry: CacheEntry, text: Buffer): boolean {
  const at = entry.bytes.indexOf(ownersMark);
  return at >= 0 && entry.bytes.compare(text, 0, text.length, at, Math.min(at + text.length, entry.bytes.length)) === 0;
}

/** The uid of an entry, empty when it has none. It is the first one in the bytes: no name can contain quotes. */
export function uidOf(entry: CacheEntry): string {
  const { bytes } = entry;
  const at = bytes.indexOf(uidMark);
  const start = at + uidMark.length;
  return at < 0 ? "" : bytes.toString("utf8", start, bytes.indexOf(quote, start));
}
