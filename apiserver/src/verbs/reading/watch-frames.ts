import { encodeJson, encodeProtobuf, wrapUnknown } from "@gatehouse/envelopes/codec";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { mediaTypes } from "@gatehouse/envelopes/names";
import { messageSchema } from "@gatehouse/envelopes/schema";
import type { Status } from "@gatehouse/envelopes/status";
import type { Representation } from "../../http/negotiation.js";
import { encodeEnvelopedStatus } from "../../http/status-protobuf.js";
import type { ServedResource } from "../../registry/served-resource.js";
import { SharedPiece } from "../../request/shared-piece.js";
import type { CacheEntry } from "../../storage/cache/cache-entry.js";
import type { CacheEvent } from "../../storage/cache/cache-event.js";
import { buildTable, type IncludeObject } from "../../tables/build-table.js";
import { partialMetadata } from "../respond.js";

/** The events that stand for changes; bookmarks and errors come from elsewhere. */
export type WatchEventType = "ADDED" | "MODIFIED" | "DELETED";

/**
 * Turns events into the bytes of one representation. Bytes that watchers can share are encoded once and kept with the
 * event, so they must not be changed.
 */
export interface FrameWriter {
  readonly contentType: string;
  /** True if frames are text. */
  readonly isText: boolean;
  /** Returns the frames of a piece, one for each event, as a message of a WebSocket shows them. */
  framesIn(piece: Buffer): Iterable<Buffer>;
  event(type: WatchEventType, entry: CacheEntry): Buffer;
  /** Returns the frame of a cache event, under the type that it has for this watcher. */
  shared(event: CacheEvent, type: WatchEventType): SharedPiece;
  /**
   * Returns one piece with the events of a run whose keys begin with `prefix`, shared by all watchers that want every one of
   * them; undefined if there are none.
   */
  batch(events: readonly CacheEvent[], prefix: string): SharedPiece | undefined;
  bookmark(revision: number, endsInitialEvents: boolean): Buffer;
  error(status: Status): Buffer;
}

/** The bookmark after the initial events carries this annotation (KEP-3157). */
const initialEventsEndAnnotation = "k8s.io/initial-events-end";

/**
 * Returns the writer of a negotiated representation. `includeObject` is the measure of an object that table rows carry; `now`
 * tells the time in milliseconds since 1970, from which their ages are reckoned.
 */
export function frameWriterFor(
  served: ServedResource,
  representation: Representation,
  includeObject: IncludeObject,
  now: () => number,
): FrameWriter {
  if (representation.as === "PartialObjectMetadataList") {
    return new UnshownFrames(frameWriterFor(served, { ...representation, as: undefined }, includeObject, now));
  }
  if (representation.encoding === "protobuf") {
    return new ProtobufFrames(served, representation);
  }
  switch (representation.as) {
    case undefined:
      return jsonFramesOf(served);
    case "Table":
      return new TableFrames(served, { includeObject, version: representation.asVersion, now });
    default:
      return new MetadataFrames(served, representation.asVersion);
  }
}

/** An event in a form that it does not have: the stream ends without a word, as in v1.29. */
export class UnshownEventError extends Error {}

/** Frames for clients that ask for each event's object as a list: only errors can be shown to them. */
class UnshownFrames implements FrameWriter {
  readonly #shown: FrameWriter;

  constructor(shown: FrameWriter) {
    this.#shown = shown;
  }

  get contentType(): string {
    return this.#shown.contentType;
  }

  get isText(): boolean {
    return this.#shown.isText;
  }

  framesIn(piece: Buffer): Iterable<Buffer> {
    return this.#shown.framesIn(piece);
  }

  event(): Buffer {
    throw new UnshownEventError("an event shows one object, and no list");
  }

  shared(): SharedPiece {
    return new SharedPiece(this.event());
  }

  batch(): SharedPiece {
    return this.shared();
  }

  bookmark(): Buffer {
    return this.event();
  }

  error(status: Status): Buffer {
    return this.#shown.error(status);
  }
}

/** The sharing of frames, which does not depend on the representation. */
abstract class Frames implements FrameWriter {
  protected readonly served: ServedResource;
  readonly #shareKey: string;
  readonly #keys: Readonly<Record<WatchEventType, string>>;
  abstract readonly contentType: string;
  readonly isText: boolean = true;

  constructor(served: ServedResource, shareKey: string) {
    this.served = served;
    this.#shareKey = `${served.apiVersion} ${shareKey}`;
    const keyOf = (type: WatchEventType): string => `${this.#shareKey} ${type}`;
    this.#keys = { ADDED: keyOf("ADDED"), MODIFIED: keyOf("MODIFIED"), DELETED: keyOf("DELETED") };
  }

  /** Lines, since JSON on the wire has no line breaks of its own. */
  *framesIn(piece: Buffer): Iterable<Buffer> {
    let from = 0;
    while (from < piece.length) {
      const to = piece.indexOf(lineFeed, from) + 1 || piece.length;
      yield piece.subarray(from, to);
      from = to;
    }
  }

  abstract event(type: WatchEventType, entry: CacheEntry): Buffer;
  abstract bookmark(revision: number, endsInitialEvents: boolean): Buffer;
  abstract error(status: Status): Buffer;

  shared(event: CacheEvent, type: WatchEventType): SharedPiece {
    const key = this.#keys[type];
    let frame = event.frames.get(key) as SharedPiece | undefined;
    if (frame === undefined) {
      frame = new SharedPiece(this.event(type, entryFor(event, type)));
      event.frames.set(key, frame);
    }
    return frame;
  }

  batch(events: readonly CacheEvent[], prefix: string): SharedPiece | undefined {
    const last = events.at(-1) as CacheEvent;
    if (events.length === 1) {
      return last.entry.key.startsWith(prefix) ? this.shared(last, last.type) : undefined;
    }
    const key = `${this.#shareKey} ${prefix} since ${(events[0] as CacheEvent).revision}`;
    let piece = last.batches.get(key)?.deref() as SharedPiece | undefined;
    if (piece === undefined) {
      const pieces = events
        .filter(({ entry }) => entry.key.startsWith(prefix))
        .map((event) => this.shared(event, event.type));
      if (pieces.length < 2) {
        return pieces[0];
      }
      piece = new SharedPiece(Buffer.concat(pieces.map(({ bytes }) => bytes)));
      last.batches.set(key, new WeakRef(piece));
    }
    return piece;
  }
}

/**
 * Returns the entry that an event shows. A watcher that loses an object from its selection sees the object's last
 * selected state, at the new version.
 */
function entryFor(event: CacheEvent, type: WatchEventType): CacheEntry {
  return type === "DELETED" && event.type !== "DELETED" && event.previous !== undefined
    ? event.previous.at(event.revision)
    : event.entry;
}

function bookmarkObject(served: ServedResource, revision: number, endsInitialEvents: boolean): JsonObject {
  const object = {
    kind: served.kind,
    apiVersion: served.apiVersion,
    metadata: {
      resourceVersion: String(revision),
      ...(endsInitialEvents ? { annotations: { [initialEventsEndAnnotation]: "true" } } : {}),
    },
  };
  return served.form.presentBookmark(object);
}

const jsonHeads: Readonly<Record<WatchEventType, Buffer>> = {
  ADDED: Buffer.from('{"type":"ADDED","object":'),
  MODIFIED: Buffer.from('{"type":"MODIFIED","object":'),
  DELETED: Buffer.from('{"type":"DELETED","object":'),
};
const lineFeed = 0x0a;
const jsonTail = Buffer.from("}\n");

function jsonFrame(type: string, object: JsonObject): Buffer {
  return Buffer.from(`{"type":"${type}","object":${encodeJson(object)}}\n`);
}

/** Objects as they are. Their bytes are wrapped, not encoded again. */
class JsonFrames extends Frames {
  readonly contentType: string = mediaTypes.json;

  constructor(served: ServedResource) {
    super(served, "json");
  }

  event(type: WatchEventType, entry: CacheEntry): Buffer {
    return Buffer.concat([jsonHeads[type], this.served.form.encode(entry), jsonTail]);
  }

  bookmark(revision: number, endsInitialEvents: boolean): Buffer {
    return jsonFrame("BOOKMARK", bookmarkObject(this.served, revision, endsInitialEvents));
  }

  error(status: Status): Buffer {
    return jsonFrame("ERROR", status as unknown as JsonObject);
  }
}

// The writers of most watchers have no state, so that they can be shared.
const jsonFrames = new WeakMap<ServedResource, JsonFrames>();

function jsonFramesOf(served: ServedResource): JsonFrames {
  let frames = jsonFrames.get(served);
  if (frames === undefined) {
    frames = new JsonFrames(served);
    jsonFrames.set(served, frames);
  }
  return frames;
}

class MetadataFrames extends Frames {
  readonly contentType: string = mediaTypes.json;
  readonly #version: string;

  constructor(served: ServedResource, version: string) {
    super(served, `metadata ${version}`);
    this.#version = version;
  }

  event(type: WatchEventType, entry: CacheEntry): Buffer {
    return jsonFrame(type, this.#partial(this.served.form.decodeRow(entry)));
  }

  bookmark(revision: number, endsInitialEvents: boolean): Buffer {
    return jsonFrame("BOOKMARK", this.#partial(bookmarkObject(this.served, revision, endsInitialEvents)));
  }

  #partial(row: JsonObject): JsonObject {
    return partialMetadata(this.served.form.metadataOfRow(row), this.#version);
  }

  error(status: Status): Buffer {
    return jsonFrame("ERROR", status as unknown as JsonObject);
  }
}

interface TableFramesOptions {
  readonly includeObject: IncludeObject;
  readonly version: string;
  readonly now: () => number;
}

/** Tables of one row. Columns come with the first event of a watcher only, so frames are not shared. */
class TableFrames extends Frames {
  readonly contentType: string = mediaTypes.json;
  readonly #includeObject: IncludeObject;
  readonly #version: string;
  readonly #now: () => number;
  #headersSent = false;

  constructor(served: ServedResource, { includeObject, version, now }: TableFramesOptions) {
    super(served, "table");
    this.#includeObject = includeObject;
    this.#version = version;
    this.#now = now;
  }

  event(type: WatchEventType, entry: CacheEntry): Buffer {
    return jsonFrame(type, this.#table([this.served.form.decodeRow(entry)], String(entry.revision)));
  }

  override shared(event: CacheEvent, type: WatchEventType): SharedPiece {
    return new SharedPiece(this.event(type, entryFor(event, type)));
  }

  override batch(events: readonly CacheEvent[], prefix: string): SharedPiece | undefined {
    const own = events.filter(({ entry }) => entry.key.startsWith(prefix));
    return own.length === 0
      ? undefined
      : new SharedPiece(Buffer.concat(own.map((event) => this.event(event.type, entryFor(event, event.type)))));
  }

  bookmark(revision: number): Buffer {
    return jsonFrame("BOOKMARK", this.#table([], String(revision)));
  }

  error(status: Status): Buffer {
    return jsonFrame("ERROR", status as unknown as JsonObject);
  }

  #table(objects: readonly JsonObject[], resourceVersion: string): JsonObject {
    const noHeaders = this.#headersSent;
    this.#headersSent = true;
    return buildTable({
      definition: this.served.table,
      objects,
      rows: this.served.form,
      includeObject: this.#includeObject,
      listMeta: { resourceVersion },
      version: this.#version,
      context: { now: this.#now() },
      noHeaders,
    });
  }
}

/** Bytes of the length before each message of a stream. */
const lengthBytes = 4;

/**
 * Frames of four length bytes (big-endian) and a bare WatchEvent message, whose object is in an envelope of its own,
 * as v1.29's protobuf streams are.
 */
class ProtobufFrames extends Frames {
  readonly contentType: string = mediaTypes.protobufStream;
  override readonly isText: boolean = false;
  readonly #metadataVersion: string | undefined;

  constructor(served: ServedResource, representation: Representation) {
    super(served, `protobuf ${representation.as ?? ""} ${representation.asVersion}`);
    this.#metadataVersion = representation.as === undefined ? undefined : representation.asVersion;
  }

  override *framesIn(piece: Buffer): Iterable<Buffer> {
    let from = 0;
    while (from < piece.length) {
      const to = from + lengthBytes + piece.readUInt32BE(from);
      yield piece.subarray(from + lengthBytes, to);
      from = to;
    }
  }

  event(type: WatchEventType, entry: CacheEntry): Buffer {
    return this.#metadataVersion === undefined
      ? this.#frame(type, this.served.form.decode(entry))
      : this.#frame(type, this.served.form.decodeRow(entry));
  }

  bookmark(revision: number, endsInitialEvents: boolean): Buffer {
    return this.#frame("BOOKMARK", bookmarkObject(this.served, revision, endsInitialEvents));
  }

  error(status: Status): Buffer {
    return watchEventFrame("ERROR", encodeEnvelopedStatus(status));
  }

  #frame(type: string, object: JsonObject): Buffer {
    if (this.#metadataVersion !== undefined) {
      const schema = messageSchema("k8s.io.apimachinery.pkg.apis.meta.v1.PartialObjectMetadata");
      const raw = encodeProtobuf(
        schema,
        partialMetadata(this.served.form.metadataOfRow(object), this.#metadataVersion),
      );
      return watchEventFrame(type, wrapUnknown(`meta.k8s.io/${this.#metadataVersion}`, "PartialObjectMetadata", raw));
    }
    const raw = encodeProtobuf(this.served.schema, object);
    return watchEventFrame(type, wrapUnknown(this.served.apiVersion, this.served.kind, raw));
  }
}

/** Encodes a WatchEvent {1: type, 2: RawExtension {1: raw}} by hand: the object's bytes are not JSON. */
function watchEventFrame(type: string, enveloped: Buffer): Buffer {
  const typeBytes = Buffer.from(type);
  const extension = Buffer.concat([Buffer.from([0x0a]), varint(enveloped.length), enveloped]);
  const message = Buffer.concat([
    Buffer.from([0x0a]),
    varint(typeBytes.length),
    typeBytes,
    Buffer.from([0x12]),
    varint(extension.length),
    extension,
  ]);
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32BE(message.length);
  return Buffer.concat([length, message]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 127) {
    bytes.push((rest & 127) | 128);
    rest >>>= 7;
  }
  bytes.push(rest);
  return Buffer.from(bytes);
}
