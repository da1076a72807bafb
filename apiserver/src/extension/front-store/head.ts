import { type JsonObject, textAt } from "@gatehouse/envelopes/json";
import { StoreDamagedError } from "../../errors/errors.js";
import { type ObjectContent, type ObjectVersion, versionOf } from "./backing-objects.js";
import { bytesOf, encodeFields, escapedLength } from "./fields.js";

const sequenceAnnotation = "storage.gatehouse.dev/sequence";
const formatVersion = 1;

/** A change of one key, with the UID of the record that holds the key, or held it. */
export interface HeadChange {
  readonly key: string;
  readonly uid: string;
  /** The value of a put; undefined for a delete. */
  readonly value: Buffer | undefined;
  /** The time in milliseconds since 1970 at which the key expires, of a put that has one. */
  readonly expiresAtMs?: number;
}

/**
 * The head of a store: the last batch of changes, which is committed when it is written. The batches before it are in the
 * records of their keys; this one may still be missing there.
 */
export interface Head {
  /** Grows by one with every write of the head. */
  readonly sequence: number;
  /** An identifier of the batch, by which its writer knows it again. */
  readonly batch: string;
  /** The revision before the first change; each change has the next one. */
  readonly fromRevision: number;
  /** The oldest revision that may be read. */
  readonly compactRevision: number;
  readonly changes: readonly HeadChange[];
  /** Records that were made for keys which have not come to be, to be deleted. */
  readonly abandoned: readonly { readonly key: string; readonly uid: string }[];
}

/** A head as it lies in front. */
export interface StoredHead extends Head {
  readonly version: ObjectVersion;
}

/** Returns the revision after the changes of a head. */
export function revisionAfter({ fromRevision, changes }: Head): number {
  return fromRevision + changes.length;
}

interface ChangeEntry {
  readonly key: string;
  readonly uid: string;
  /** The length in bytes of the value; absent for a delete. */
  readonly bytes?: number;
  readonly expiresAtMs?: number;
}

interface LogEntry {
  readonly format: number;
  readonly batch: string;
  readonly fromRevision: number;
  readonly compactRevision: number;
  readonly changes: readonly ChangeEntry[];
  readonly abandoned: Head["abandoned"];
}

/** Encodes a head: what is small as JSON, the values one after the other. */
export function encodeHead({ sequence, changes, ...rest }: Head): ObjectContent {
  const entries = changes.map(
    ({ key, uid, value, expiresAtMs }): ChangeEntry => ({
      key,
      uid,
      ...(value !== undefined && { bytes: value.length }),
      ...(expiresAtMs !== undefined && { expiresAtMs }),
    }),
  );
  const { batch, fromRevision, compactRevision, abandoned } = rest;
  const log: LogEntry = { format: formatVersion, batch, fromRevision, compactRevision, changes: entries, abandoned };
  const values = Buffer.concat(changes.map(({ value }) => value ?? Buffer.alloc(0)));
  return {
    annotations: { [sequenceAnnotation]: String(sequence) },
    ...encodeFields({ log: JSON.stringify(log) }, { values }),
  };
}

/** Returns the bytes that a change takes at most in the data of a head. */
export function sizeOfChange(key: string, value: Buffer | undefined): number {
  // The rest of an entry are a UID, numbers and the names of members.
  return (value?.length ?? 0) + escapedLength(Buffer.from(JSON.stringify(key))) + 200;
}

/** Reads a head. Throws StoreDamagedError for an object that is none. */
export function decodeHead(object: JsonObject): StoredHead {
  try {
    const { format, changes, ...rest } = JSON.parse(textAt(object, "data", "log")) as LogEntry;
    if (format !== formatVersion) {
      throw new Error(`format ${format} is not known`);
    }
    const values = bytesOf(object, "values");
    let at = 0;
    const decoded = changes.map(({ bytes, ...entry }): HeadChange => {
      const value = bytes === undefined ? undefined : values.subarray(at, at + bytes);
      at += bytes ?? 0;
      return { ...entry, value };
    });
    if (at !== values.length) {
      throw new Error(`it has ${values.length} bytes of values instead of ${at}`);
    }
    return { ...rest, sequence: sequenceOf(object), changes: decoded, version: versionOf(object) };
  } catch (cause) {
    const name = `${textAt(object, "kind")} ${textAt(object, "metadata", "name")}`;
    const detail = cause instanceof Error ? cause.message : String(cause);
    throw new StoreDamagedError({ detail: `the ${name} is no head of a store: ${detail}` }, { cause });
  }
}

/** Returns the sequence number of a head, of which the metadata is enough. */
export function sequenceOf(object: JsonObject): number {
  const sequence = Number(textAt(object, "metadata", "annotations", sequenceAnnotation));
  if (!Number.isSafeInteger(sequence) || sequence < 1) {
    throw new StoreDamagedError({ detail: `the annotation ${sequenceAnnotation} of the head is no sequence number` });
  }
  return sequence;
}
