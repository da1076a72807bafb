import type { StoreEvent } from "../store.js";
import type { ByteArena } from "./byte-arena.js";
import { CacheEntry } from "./cache-entry.js";

/** The type of a watch event. */
export type CacheEventType = "ADDED" | "MODIFIED" | "DELETED";

/** One change of one object, shared by all watchers. */
export class CacheEvent {
  readonly type: CacheEventType;
  readonly revision: number;
  /** The object after the change; of a deletion its last state, at the revision of the deletion. */
  readonly entry: CacheEntry;
  /** The object before the change, when there was one. */
  readonly previous: CacheEntry | undefined;
  #frames: Map<string, object> | undefined;
  #batches: Map<string, WeakRef<object>> | undefined;
  #isLate = false;

  constructor(type: CacheEventType, revision: number, entry: CacheEntry, previous: CacheEntry | undefined) {
    this.type = type;
    this.revision = revision;
    this.entry = entry;
    this.previous = previous;
    this.#frames = undefined;
    this.#batches = undefined;
  }

  /**
   * Encodings of this event that watch handlers have made: one per representation, for all watchers. Their type is up
   * to the handlers.
   */
  get frames(): Map<string, object> {
    if (this.#isLate) {
      return new Map();
    }
    this.#frames ??= new Map();
    return this.#frames;
  }

  /**
   * Encodings of runs of events that end with this one. Watchers that keep up take the same run in the same moment; the
   * next one may begin anywhere, so nothing is kept for it.
   */
  get batches(): Map<string, WeakRef<object>> {
    this.#batches ??= new Map();
    return this.#batches;
  }

  /** Drops the encodings once most watchers have taken the event; a late one encodes again, for itself. */
  forgetFrames(): void {
    this.#isLate = true;
    this.#frames = undefined;
    this.#batches = undefined;
  }

  /**
   * Makes an event from one of the store. `cached` is the entry before the change, if it is at hand; the new one goes
   * into the arena, if any.
   */
  static fromStore(event: StoreEvent, cached: CacheEntry | undefined, arena?: ByteArena): CacheEvent {
    const previous = previousOf(event, cached);
    if (event.type === "delete") {
      const last = previous ?? CacheEntry.fromStore(event.previous);
      return new CacheEvent("DELETED", event.revision, last.at(event.revision), last);
    }
    const entry = CacheEntry.fromStore({ key: event.key, value: event.value, modRevision: event.revision }, arena);
    return new CacheEvent(previous === undefined ? "ADDED" : "MODIFIED", event.revision, entry, previous);
  }
}

function previousOf({ previous }: StoreEvent, cached: CacheEntry | undefined): CacheEntry | undefined {
  if (previous === undefined) {
    return undefined;
  }
  return cached?.revision === previous.modRevision ? cached : CacheEntry.fromStore(previous);
}
