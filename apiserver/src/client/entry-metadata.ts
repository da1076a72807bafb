import { encodeJson } from "@gatehouse/envelopes/codec";
import type { JsonObject, JsonValue } from "@gatehouse/envelopes/json";
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

/**
 * Marks without their beginnings. A search goes from one place of the first byte to the next, and quotes are everywhere in
 * JSON, so a mark that begins with a rarer byte is found, or not, in a third of the time. All objects are searched when
 * a controller starts.
 */
const ownersMarkEnd = Buffer.from('References":[');
const terminatingMark = Buffer.from('deletionTimestamp":"');

/** Finalizers that the garbage collector takes off again. */
const collectionFinalizers: ReadonlySet<string> = new Set([foregroundFinalizer, orphanFinalizer]);
const collectionMarks = [...collectionFinalizers].map((finalizer) => Buffer.from(JSON.stringify(finalizer)));

/** Length in bytes of the part that may hold the metadata's start: only kind and apiVersion come before. */
const metadataAtMost = 600;

const quote = 0x22;
const brace = 0x7b;

/** Parses the metadata of an entry; the rest of the object is not parsed. */
export function metadataOf(entry: CacheEntry): ObjectMeta {
  const { bytes } = entry;
  const at = bytes.indexOf(metadataMark);
  const end = at < 0 || at > metadataAtMost ? -1 : endOfObject(bytes, at + metadataMark.length - 1);
  return end < 0
    ? metaOf(entry.object())
    : (JSON.parse(bytes.toString("utf8", at + metadataMark.length - 1, end)) as ObjectMeta);
}

/**
 * Reports whether an object may have owners. False is certain; true if the object or something inside of it has some.
 */
export function mayHaveOwners(entry: CacheEntry): boolean {
  const { bytes } = entry;
  return bytes.includes(ownersMarkEnd) && bytes.includes(ownersMark);
}

/**
 * Reports whether an object may have owners or be on its way out, which is what the garbage collector looks for. False
 * is certain; it is true of every object of which `mayHaveOwners` or `awaitsCollection` is.
 */
export function mayConcernCollector(entry: CacheEntry): boolean {
  const { bytes } = entry;
  return bytes.includes(ownersMarkEnd) || bytes.includes(terminatingMark);
}

/** Reports whether the object itself is being deleted. Parses only the metadata of those that may be. */
export function isTerminating(entry: CacheEntry): boolean {
  return entry.bytes.includes(terminatingMark) && metadataOf(entry).deletionTimestamp !== undefined;
}

/**
 * Reports whether the object is being deleted, and waits for the garbage collector to delete or orphan its dependents.
 */
export function awaitsCollection(entry: CacheEntry): boolean {
  const { bytes } = entry;
  if (!bytes.includes(terminatingMark) || !collectionMarks.some((mark) => bytes.includes(mark))) {
    return false;
  }
  const { deletionTimestamp, finalizers = [] } = metadataOf(entry);
  return deletionTimestamp !== undefined && finalizers.some((finalizer) => collectionFinalizers.has(finalizer));
}

/** Returns the owner references as they stand in the bytes of the object, for comparison. */
export function ownerReferencesText(metadata: JsonObject): Buffer {
  return Buffer.from(`"ownerReferences":${encodeJson(metadata["ownerReferences"] as JsonValue)}`);
}

/** Reports whether the object itself, not something inside of it, has exactly these owner references. */
export function hasOwnerReferences(entry: CacheEntry, text: Buffer): boolean {
  const at = entry.bytes.indexOf(ownersMark);
  return at >= 0 && entry.bytes.compare(text, 0, text.length, at, Math.min(at + text.length, entry.bytes.length)) === 0;
}

/**
 * Returns the uid of an entry, empty for none. It is the first one in the bytes, unless members that have members come before
 * it: those of custom objects are sorted, and owners have uids as well.
 */
export function uidOf(entry: CacheEntry): string {
  const { bytes } = entry;
  const metadataAt = bytes.indexOf(metadataMark);
  const at = bytes.indexOf(uidMark, metadataAt);
  const nestedAt = bytes.indexOf(brace, metadataAt + metadataMark.length);
  if (metadataAt < 0 || metadataAt > metadataAtMost || (nestedAt >= 0 && nestedAt < at)) {
    return metadataOf(entry).uid ?? "";
  }
  const start = at + uidMark.length;
  return at < 0 ? "" : bytes.toString("utf8", start, bytes.indexOf(quote, start));
}
