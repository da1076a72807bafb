import { parseStoredJson } from "@gatehouse/envelopes/codec";
import { isJsonObject, type JsonObject } from "@gatehouse/envelopes/json";
import type { KeyValue } from "../store.js";
import type { ByteArena, ByteHolder, Movable, Room } from "./byte-arena.js";
import { isStamped, planStamp, restamp, writeStamped } from "./resource-version-bytes.js";

/** A selectable field of an object as it is stored, as text. */
export type FieldExtractor = (stored: JsonObject) => string;

/** The parts of an entry that are kept once selectors have read them. */
interface Selectable {
  readonly labels: Readonly<Record<string, string>>;
  fields: Map<string, string> | undefined;
}

const noLabels: Readonly<Record<string, string>> = Object.freeze({});
const labelsMark = Buffer.from('"labels":{');

/**
 * One object at one version: immutable bytes, ready to be sent. It is parsed only when a caller must look inside; the
 * parts that selectors need are then kept, the parsed object is not.
 */
export class CacheEntry implements Movable {
  readonly key: string;
  /** Revision of the write that made this version. */
  readonly revision: number;
  readonly length: number;
  #original: CacheEntry | undefined;
  #holder: ByteHolder;
  #start: number;
  #selectable: Selectable | undefined;

  /** `length` is in bytes, those of a room; an entry with a Buffer of its own comes from `CacheEntry.of`. */
  constructor(key: string, revision: number, length: number, { holder, start }: Room) {
    this.key = key;
    this.revision = revision;
    this.length = length;
    this.#holder = holder;
    this.#start = start;
    this.#selectable = undefined;
    this.#original = undefined;
  }

  /** Makes an entry that owns its bytes. */
  static of(key: string, revision: number, bytes: Buffer): CacheEntry {
    return new CacheEntry(key, revision, bytes.length, { holder: { bytes }, start: 0 });
  }

  /**
   * Makes an entry from a stored value, which has no resourceVersion: that is known only after the commit. The
   * bytes are copied: with an arena once, into their final place.
   */
  static fromStore(kv: Pick<KeyValue, "key" | "value" | "modRevision">, arena?: ByteArena): CacheEntry {
    const { key, value, modRevision } = kv;
    const stamped = planStamp(value, modRevision);
    const { length } = stamped;
    const reserved = arena?.reserve(length);
    const room = reserved ?? { holder: { bytes: Buffer.allocUnsafeSlow(length) }, start: 0 };
    writeStamped(stamped, room.holder.bytes, room.start);
    const entry = new CacheEntry(key, modRevision, length, room);
    reserved?.settle(entry);
    return entry;
  }

  /** The object's JSON, `metadata.resourceVersion` included. */
  get bytes(): Buffer {
    return this.#holder.bytes.subarray(this.#start, this.#start + this.length);
  }

  /** Copies the bytes from the `from`th on to `at` in `target`, without an object for them: lists copy thousands. */
  copyTo(target: Buffer, at: number, from: number): void {
    this.#holder.bytes.copy(target, at, this.#start + from, this.#start + this.length);
  }

  /** Reports whether the bytes begin with others. */
  startsWith(beginning: Buffer): boolean {
    const { length } = beginning;
    return (
      length <= this.length && this.#holder.bytes.compare(beginning, 0, length, this.#start, this.#start + length) === 0
    );
  }

  get holder(): ByteHolder {
    return this.#holder;
  }

  moveTo(holder: ByteHolder, start: number): void {
    if (start + this.length > holder.bytes.length) {
      // A copy that does not fit is cut off without a word; what was lost would show only in somebody's list.
      throw new RangeError(`no room for ${this.length} bytes at ${start} of ${holder.bytes.length}`);
    }
    this.#holder.bytes.copy(holder.bytes, start, this.#start, this.#start + this.length);
    this.#holder = holder;
    this.#start = start;
  }

  /** Returns the object, parsed anew with every call: the caller may change it. */
  object(): JsonObject {
    return parseStoredJson(this.bytes.toString()) as JsonObject;
  }

  /** Returns the same state under another version, as a deletion shows it. */
  at(revision: number): CacheEntry {
    const entry = CacheEntry.of(this.key, revision, restamp(this.bytes, this.revision, revision));
    entry.#original = this.original;
    return entry;
  }

  /** The entry whose state this is under another version; itself for most. */
  get original(): CacheEntry {
    return this.#original ?? this;
  }

  /** Reports whether this entry was made from `value`, the bytes in the store. */
  holds(value: Buffer): boolean {
    return isStamped(planStamp(value, this.revision), this.bytes);
  }

  labels(): Readonly<Record<string, string>> {
    if (this.#selectable !== undefined) {
      return this.#selectable.labels;
    }
    // Most objects of many kinds have no labels at all: a search of bytes is cheaper than parsing.
    return this.bytes.includes(labelsMark) ? this.#look().labels : noLabels;
  }

  /** Returns the text of a selectable field, empty when it is not set. */
  field(name: string, extractors: ReadonlyMap<string, FieldExtractor>): string {
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
}
