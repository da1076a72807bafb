import { RevisionCompactedError } from "../../errors/errors.js";
import type { StoreEvent, WatchBatch } from "../store.js";
import { type EtcdEvent, eventType, type WatchResponse } from "./api/watch.js";
import { keyValueOf } from "./key-values.js";
import type { LeasedEvent } from "./lease-times.js";

/** The part of the changes that a watch delivers. */
export interface WatchedPart {
  readonly prefix: string;
  /** The revision up to which changes have been delivered. */
  readonly afterRevision: number;
  /** A batch ends when its values have come to so many bytes. */
  readonly maxBatchBytes: number;
}

/**
 * Makes batches of the answers of an etcd watch. A batch never ends amid the changes of one revision: a transaction of
 * another program, or the end of a lease, can change several keys with one. Fragments of a large answer need not be put
 * together for that.
 */
export class WatchBatches {
  /** The revision up to which changes are known. */
  revision: number;
  readonly #prefix: string;
  readonly #maxBatchBytes: number;
  /** Changes of a revision that may have more, in the next fragment. */
  #open: StoreEvent[] = [];

  constructor({ prefix, afterRevision, maxBatchBytes }: WatchedPart) {
    this.revision = afterRevision;
    this.#prefix = prefix;
    this.#maxBatchBytes = maxBatchBytes;
  }

  /** Returns the batches that an answer completes. Throws RevisionCompactedError when a former value is missing. */
  take(response: WatchResponse): WatchBatch[] {
    const batches: WatchBatch[] = [];
    let events = this.#open;
    let bytes = 0;
    let last = events.at(-1)?.revision ?? this.revision;
    for (const event of response.events) {
      const revision = event.kv?.modRevision ?? 0;
      if (revision <= this.revision) {
        continue; // the watch begins one revision early, to learn whether that has been compacted
      }
      if (revision > last && bytes >= this.#maxBatchBytes) {
        batches.push({ events, revision: last });
        events = [];
        bytes = 0;
      }
      last = revision;
      const change = storeEventOf(event, revision, response);
      if (change.key.startsWith(this.#prefix)) {
        events.push(change);
        bytes += change.type === "put" ? change.value.length : 0;
      }
    }
    this.#open = response.fragment ? events.filter(({ revision }) => revision === last) : [];
    events = response.fragment ? events.filter(({ revision }) => revision < last) : events;
    const complete = response.fragment ? last - 1 : this.#completeAfter(response, last);
    if (complete > (batches.at(-1)?.revision ?? this.revision)) {
      batches.push({ events, revision: complete });
    }
    this.revision = batches.at(-1)?.revision ?? this.revision;
    return batches;
  }

  /** Takes the changes after `revision` for unknown: the watch is to be made anew. */
  rewindTo(revision: number): void {
    this.revision = revision;
    this.#open = [];
  }

  /**
   * Returns the revision that the watch has reached. Only an answer without changes tells it, since others may follow an
   * answer with changes.
   */
  #completeAfter({ events, header, created }: WatchResponse, last: number): number {
    return events.length === 0 && !created ? Math.max(last, header?.revision ?? 0) : last;
  }
}

/** Returns the bytes of the values of a batch, about. */
export function bytesOf({ events }: WatchBatch): number {
  return events.reduce((sum, event) => sum + (event.type === "put" ? event.value.length : 0), 0);
}

function storeEventOf({ type, kv, prevKv }: EtcdEvent, revision: number, { header }: WatchResponse): LeasedEvent {
  if (kv === null) {
    throw new TypeError("etcd sent an event without a key");
  }
  const previous = prevKv === null ? undefined : keyValueOf(prevKv);
  if (type === eventType.put && (previous !== undefined || kv.createRevision === revision)) {
    const { key, value, createRevision } = keyValueOf(kv);
    return kv.lease === 0n
      ? { type: "put", key, revision, createRevision, value, previous }
      : { type: "put", key, revision, createRevision, value, previous, lease: kv.lease };
  }
  if (type === eventType.delete && previous !== undefined) {
    return prevKv === null || prevKv.lease === 0n
      ? { type: "delete", key: previous.key, revision, previous }
      : { type: "delete", key: previous.key, revision, previous, lease: prevKv.lease };
  }
  // Compaction has taken the former value before etcd could read it.
  throw new RevisionCompactedError(header?.revision ?? revision);
}
