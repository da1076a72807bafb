import { isJsonObject, type JsonObject } from "@gatehouse/envelopes";
import type { KeyValue } from "../store.js";

/** A selectable field of an object as it is stored, as text. */
export type SelectableField = (stored: JsonObject) => string;

/** What is kept of an entry that selectors have looked at. */
interface Selectable {
  readonly labels: Readonly<Record<string, string>>;
  fields: Map<string, string> | undefined;
}

const noLabels: Readonly<Record<string, string>> = Object.freeze({});
const uidMark = Buffer.from('"uid":"');
const metadataMark = Buffer.from('"metadata":{');
const labelsMark = Buffer.from('"labels":{');
const quote = 0x22;

/**
 * One object at one version: immutable bytes, ready to be sent. It is parsed only when something must look inside; what
 * selectors need is then kept, the parsed object is not.
 */
export class CacheEntry {
  readonly key: string;
  /** Revision of the write that made this version. */
  readonly revision: number;
  /** The object's JSON, `metadata.resourceVersion` included. */
  readonly bytes: Buffer;
  #selectable: Selectable | undefined;

  constructor(key: string, revision: number, bytes: Buffer) {
    this.key = key;
    this.revision = revision;
    this.bytes = bytes;
  }

  /** From a stored value, which has no resourceVersion: that is known only after the commit. */
  static fromStore(kv: Pick<KeyValue, "key" | "value" | "modRevision">): CacheEntry {
    return new CacheEntry(kv.key, kv.modRevision, withResourceVersion(kv.value, kv.modRevision));
  }

  /** The object, parsed anew with every call: the caller may change it. */
  object(): JsonObject {
    return JSON.parse(this.bytes.toString()) as JsonObject;
  }

  /** The same state under another version: what a deletion shows. */
  at(revision: number): CacheEntry {
    return new CacheEntry(this.key, revision, withResourceVersion(this.#withoutResourceVersion(), revision));
  }

  /** Whether a stored value is what this entry was made from. */
  holds(value: Buffer): boolean {
    return this.#withoutResourceVersion().equals(value);
  }

  labels(): Readonly<Record<string, string>> {
    if (this.#selectable !== undefined) {
      return this.#selectable.labels;
    }
    // Most objects of many kinds have no labels at all: a search of bytes is cheaper than parsing.
    return this.bytes.includes(labelsMark) ? this.#look().labels : noLabels;
  }

  /** The text of a selectable field, empty when it is not set. */
  field(name: string, extractors: ReadonlyMap<string, SelectableField>): string {
    const known = this.#selectable?.fields?.get(name);
    if (known !== undefined) {
      return known;
    }
    const object = this.object();
    const selectable = this.#selectable ?? this.#look(object);
    selectable.fields ??= new Map();
    for (const [field, extract] of extractors) {
      selectable.fields.set(field, extract(object));
    }
    return selectable.fields.get(name) ?? "";
  }

  #look(object: JsonObject = this.object()): Selectable {
    const metadata = object["metadata"];
    const labels = isJsonObject(metadata) && isJsonObject(metadata["labels"]) ? metadata["labels"] : noLabels;
    const selectable = { labels: labels as Record<string, string>, fields: undefined };
    this.#selectable = selectable;
    return selectable;
  }

  #withoutResourceVersion(): Buffer {
    const insertion = resourceVersionText(this.revision);
    const at = this.bytes.indexOf(insertion);
    if (at < 0) {
      return this.bytes;
    }
    return Buffer.concat([this.bytes.subarray(0, at), this.bytes.subarray(at + insertion.length)]);
  }
}

function resourceVersionText(revision: number): string {
  return `,"resourceVersion":"${revision}"`;
}

/**
 * Puts the resourceVersion where canonical JSON has it: behind the uid. Only kind, apiVersion and the names come before
 * that, and they hold no quotes, so the first `"uid":"` is the object's own.
 */
function withResourceVersion(value: Buffer, revision: number): Buffer {
  const mark = value.indexOf(uidMark);
  if (mark < 0) {
    return insertFirst(value, revision);
  }
  const at = value.indexOf(quote, mark + uidMark.length) + 1;
  const text = resourceVersionText(revision);
  const bytes = Buffer.allocUnsafeSlow(value.length + text.length);
  value.copy(bytes, 0, 0, at);
  bytes.write(text, at, "latin1");
  value.copy(bytes, at + text.length, at);
  return bytes;
}

/** Objects that others have put into the store may lack a uid: the version then comes first in their metadata. */
function insertFirst(value: Buffer, revision: number): Buffer {
  const mark = value.indexOf(metadataMark);
  if (mark < 0) {
    return value;
  }
  const at = mark + metadataMark.length;
  const isEmpty = value[at] === 0x7d;
  const text = `"resourceVersion":"${revision}"${isEmpty ? "" : ","}`;
  return Buffer.concat([value.subarray(0, at), Buffer.from(text), value.subarray(at)]);
}
