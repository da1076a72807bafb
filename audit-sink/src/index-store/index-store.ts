import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeFolderSync } from "@gatehouse/component-base/files";
import { isJsonObject } from "@gatehouse/envelopes/json";
import type { auditV1 } from "@gatehouse/envelopes/types";
import { ByteCache } from "./byte-cache.js";
import type { Chunk } from "./chunk.js";
import { chunkPath, parseChunkName, writeChunk } from "./chunk-file.js";
import { type EventFacts, factsOf } from "./event-fields.js";
import { OpenChunk } from "./open-chunk.js";
import { StoredChunk } from "./stored-chunk.js";

/** Folder and limits of the index. */
export interface IndexStoreOptions {
  readonly directory: string;
  readonly retention: { readonly maxAgeMs: number; readonly maxBytes: number };
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
  /** Called with each file that cannot be used. Optional. */
  readonly onDamage?: (path: string, error: unknown) => void;
  /** Called with each new event of the log. Optional. */
  readonly onIndexed?: (event: IndexedEvent) => void;
}

/** Events of one request, from the log. */
export interface IndexedBatch {
  readonly position: number;
  readonly sender: string;
  readonly receivedTimestamp: number;
  readonly events: readonly { readonly bytes: Buffer }[];
}

/** An event that has just been indexed. */
export interface IndexedEvent {
  readonly position: number;
  readonly json: Buffer;
  readonly facts: EventFacts;
}

/** Maximum size in bytes of the data of chunks that is kept in memory. */
const cacheBytes = 96 * 1024 * 1024;

/**
 * Events by what they say. They are laid out in chunks, each a file that is written once: the name of the newest tells
 * up to where the log has been indexed, so position and content cannot contradict each other. A crash costs what was
 * added since the last `checkpoint`, which is read from the log again. Synchronous: to be used in a thread of its own.
 */
export class IndexStore implements Disposable {
  readonly #options: IndexStoreOptions;
  readonly #cache = new ByteCache(cacheBytes);
  /** Stored chunks in the order of the log. */
  #stored: StoredChunk[] = [];
  #open: OpenChunk | undefined;
  /** The file of the open chunk as it was when it was last written. */
  #openFile: string | undefined;
  #durablePosition = 0;

  /** Opens the index in a folder, which is made if need be. Files that are damaged are left out, and told. */
  constructor(options: IndexStoreOptions) {
    this.#options = options;
    const { directory } = options;
    makeFolderSync(directory, 0o700);
    for (const name of readdirSync(directory)) {
      if (name.endsWith(".new")) {
        rmSync(join(directory, name));
      }
    }
    this.#load();
    this.#reopenLast();
  }

  /** Position in the log that is to be read next. */
  get position(): number {
    return this.#open === undefined ? this.#durablePosition : this.#open.firstPosition + this.#open.count;
  }

  /** Up to where a crash loses nothing: the log need not be kept for the index before that. */
  get durablePosition(): number {
    return this.#durablePosition;
  }

  /** All chunks, in the order of the log. */
  get chunks(): readonly Chunk[] {
    return this.#open === undefined || this.#open.count === 0 ? this.#stored : [...this.#stored, this.#open];
  }

  get bytes(): number {
    return this.chunks.reduce((sum, chunk) => sum + chunk.bytes, 0);
  }

  /**
   * Takes events from the log. Those that are known already are passed over. Returns how many cannot be read, and are left
   * out. Throws where the disk does not take what must be written first; what came before that event is kept.
   */
  add(batch: IndexedBatch): number {
    const origin = { sender: batch.sender, receivedMs: batch.receivedTimestamp };
    let skipped = 0;
    for (const [index, { bytes }] of batch.events.entries()) {
      const position = batch.position + index;
      if (position < this.position) {
        continue;
      }
      const facts = readFacts(bytes, origin);
      if (facts === undefined) {
        skipped++;
        continue;
      }
      this.#chunkFor(position).add(bytes, facts);
      this.#options.onIndexed?.({ position, json: bytes, facts });
    }
    return skipped;
  }

  /** Makes durable what has been added. */
  checkpoint(): void {
    const open = this.#open;
    if (open === undefined || open.count === 0 || this.#durablePosition === this.position) {
      return;
    }
    const path = writeChunk(this.#options.directory, open);
    if (this.#openFile !== undefined) {
      rmSync(this.#openFile, { force: true });
    }
    this.#openFile = path;
    this.#durablePosition = this.position;
  }

  /** Deletes what is too old, and the oldest where it is too much. Returns the number of events. */
  retain(): number {
    const { retention, now = Date.now } = this.#options;
    const oldestUs = (now() - retention.maxAgeMs) * 1000;
    let deleted = 0;
    let { bytes } = this;
    // The name of the newest file tells how far the index has come.
    const newest = this.#openFile === undefined ? this.#stored.at(-1) : undefined;
    this.#stored = this.#stored.filter((chunk) => {
      if (chunk === newest || (bytes <= retention.maxBytes && chunk.maxTimeUs >= oldestUs)) {
        return true;
      }
      bytes -= chunk.bytes;
      deleted += chunk.count;
      chunk[Symbol.dispose]();
      rmSync(chunk.path, { force: true });
      return false;
    });
    if (this.#open !== undefined && this.#open.maxTimeUs < oldestUs) {
      this.checkpoint();
      this.#seal();
    }
    return deleted;
  }

  [Symbol.dispose](): void {
    for (const chunk of this.#stored) {
      chunk[Symbol.dispose]();
    }
    this.#stored = [];
  }

  /** The chunk in which the event at a position goes: rows follow each other as positions do. */
  #chunkFor(position: number): OpenChunk {
    const open = this.#open;
    const isNext = open !== undefined && open.firstPosition + open.count === position;
    if (isNext && !open.isFull) {
      return open;
    }
    this.checkpoint();
    this.#seal();
    this.#open = new OpenChunk(position);
    return this.#open;
  }

  /** Makes the open chunk's file a stored chunk. */
  #seal(): void {
    if (this.#openFile !== undefined) {
      this.#stored.push(new StoredChunk(this.#openFile, this.#cache));
    }
    this.#open = undefined;
    this.#openFile = undefined;
  }

  #load(): void {
    const { directory, onDamage } = this.#options;
    const names = readdirSync(directory).flatMap((name) => parseChunkName(name) ?? []);
    // Of two that begin alike, the longer one has replaced the other.
    names.sort((a, b) => a.firstPosition - b.firstPosition || b.endPosition - a.endPosition);
    for (const { firstPosition, endPosition } of names) {
      const path = chunkPath(directory, firstPosition, endPosition);
      if (endPosition <= this.#durablePosition) {
        rmSync(path, { force: true });
        continue;
      }
      try {
        this.#stored.push(new StoredChunk(path, this.#cache));
        this.#durablePosition = endPosition;
      } catch (error) {
        onDamage?.(path, error);
        rmSync(path, { force: true });
      }
    }
  }

  /** Goes on filling the last chunk if there is much room in it, so that many starts do not make many small files. */
  #reopenLast(): void {
    const last = this.#stored.at(-1);
    if (last === undefined || last.count > 8192) {
      return;
    }
    const open = new OpenChunk(last.firstPosition);
    const senders = last.column("sender");
    const senderIds = senders.ids();
    const times = last.times();
    for (let row = 0; row < last.count; row++) {
      const json = last.eventAt(row);
      const origin = {
        sender: senders.values()[senderIds[row] as number] ?? "",
        receivedMs: (times[row] as number) / 1000,
      };
      const facts = readFacts(json, origin);
      if (facts === undefined) {
        return;
      }
      open.add(json, facts);
    }
    this.#open = open;
    this.#openFile = last.path;
    last[Symbol.dispose]();
    this.#stored.pop();
  }
}

/** The intake lets nothing through but events; what is none all the same must not stop the index. */
function readFacts(
  json: Buffer,
  origin: { readonly sender: string; readonly receivedMs: number },
): EventFacts | undefined {
  try {
    const event: unknown = JSON.parse(json.toString());
    return isJsonObject(event) ? factsOf(event as unknown as auditV1.Event, origin) : undefined;
  } catch {
    return undefined;
  }
}
