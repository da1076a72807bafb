import type { MessageInput } from "@gatehouse/component-base/grpc";
import { RevisionCompactedError } from "../../errors/errors.js";
import {
  type EtcdEvent,
  eventType,
  type ResponseHeader,
  type WatchCreateRequest,
  type WatchResponse,
  watchFilter,
} from "../etcd/api/index.js";
import type { KeyChange, KeyInterval, Keyspace } from "../keyspace.js";
import { keyValueOf } from "./headers.js";
import { intervalOf } from "./key-bounds.js";
import type { LiveWatch, WatchHub } from "./watch-hub.js";

/** The stream that a watch sends to, and what it reads from. */
export interface WatchOutput {
  readonly keyspace: Keyspace;
  readonly hub: WatchHub;
  /** Makes the header of an answer. */
  header(revision: number): ResponseHeader;
  send(response: MessageInput<WatchResponse>): void;
  /** True while the caller reads more slowly than the changes come. */
  readonly isBehind: boolean;
  /** Resolves when the caller has read everything. */
  drained(): Promise<void>;
  /** Called when the watch has come to the newest revision. */
  onLive(): void;
  /** Called when the watch has ended by itself. */
  onEnded(watchId: number): void;
}

/** An answer larger than this is split, where the client allows it; a batch of old changes ends at this size. */
const fragmentBytes = 1.5 * 2 ** 20;

/** An answer of several revisions ends at this size. */
const answerBytes = 128 * 1024;

/**
 * One watch of etcd. While it is live, the hub hands it the changes. When its caller reads too slowly it leaves the hub,
 * and reads the log instead as fast as the caller does: nothing is buffered, and nothing is left out. If compaction
 * overtakes it, it ends with the compact revision.
 */
export class EtcdWatch implements LiveWatch {
  readonly keys: KeyInterval;
  readonly key: string | undefined;
  /** True if the client wants to hear now and then how far the watch has come. */
  readonly notifiesProgress: boolean;
  /** True if changes have been sent since the last look at it. */
  hasSent = false;
  readonly #id: number;
  readonly #output: WatchOutput;
  readonly #wantsPuts: boolean;
  readonly #wantsDeletes: boolean;
  readonly #wantsPrevious: boolean;
  readonly #allowsFragments: boolean;
  #revision: number;
  #isLive = false;
  #isOver = false;

  /** Makes a watch of the changes after `afterRevision`, which `run` starts. */
  constructor(id: number, request: WatchCreateRequest, afterRevision: number, output: WatchOutput) {
    const { rangeEnd, filters } = request;
    const key = watchedKey(request);
    this.keys = intervalOf(key, rangeEnd);
    this.key = rangeEnd.length === 0 ? key.toString() : undefined;
    this.notifiesProgress = request.progressNotify;
    this.#id = id;
    this.#output = output;
    this.#wantsPuts = !filters.includes(watchFilter.noPut);
    this.#wantsDeletes = !filters.includes(watchFilter.noDelete);
    this.#wantsPrevious = request.prevKv;
    this.#allowsFragments = request.fragment;
    this.#revision = afterRevision;
  }

  /** True if the watch has seen everything up to the hub's revision. */
  get isLive(): boolean {
    return this.#isLive;
  }

  onChanges(events: readonly KeyChange[], revision: number): void {
    const fresh = events.filter((event) => event.revision > this.#revision);
    this.#revision = Math.max(this.#revision, revision);
    this.#send(fresh, fresh.at(-1)?.revision ?? revision);
    if (this.#output.isBehind) {
      this.#output.hub.remove(this);
      this.onLost();
    }
  }

  onLost(): void {
    this.#isLive = false;
    void this.run();
  }

  /** Reads the log up to the newest revision, then joins the hub. */
  async run(): Promise<void> {
    const { keyspace, hub, header, send, onLive, onEnded } = this.#output;
    try {
      while (!this.#isOver) {
        if (this.#output.isBehind) {
          await this.#output.drained();
        } else if (this.#revision >= hub.revision) {
          hub.add(this);
          this.#isLive = true;
          onLive();
          return;
        } else {
          const { keys } = this;
          const batch = await keyspace.changes({ keys, afterRevision: this.#revision, maxBatchBytes: fragmentBytes });
          if (!this.#isOver) {
            this.#revision = batch.revision;
            this.#send(batch.events, Math.max(hub.revision, batch.revision));
          }
        }
      }
    } catch (error) {
      if (!this.#isOver) {
        this.#isOver = true;
        const isCompacted = error instanceof RevisionCompactedError;
        send({
          header: header(isCompacted ? 0 : hub.revision),
          watchId: this.#id,
          canceled: true,
          ...(isCompacted
            ? { compactRevision: error.compactRevision }
            : { cancelReason: error instanceof Error ? error.message : String(error) }),
        });
        onEnded(this.#id);
      }
    }
  }

  /** Ends the watch. */
  cancel(): void {
    this.#isOver = true;
    this.#output.hub.remove(this);
  }

  #send(changes: readonly KeyChange[], revision: number): void {
    const wanted = changes.filter(({ type }) => (type === "put" ? this.#wantsPuts : this.#wantsDeletes));
    if (wanted.length === 0) {
      return;
    }
    this.hasSent = true;
    const answers = answersOf(wanted, this.#wantsPrevious);
    answers.forEach((answer, index) => {
      const isLast = index === answers.length - 1;
      this.#sendAnswer(answer, isLast ? revision : (answer.at(-1)?.revision ?? revision));
    });
  }

  #sendAnswer(wanted: readonly KeyChange[], revision: number): void {
    const header = this.#output.header(revision);
    const parts = this.#allowsFragments ? fragmentsOf(wanted, this.#wantsPrevious) : [wanted];
    parts.forEach((part, index) => {
      const events = part.map((change) => eventOf(change, this.#wantsPrevious));
      this.#output.send({ header, watchId: this.#id, events, fragment: index < parts.length - 1 });
    });
  }
}

/** Returns the first key of a watch; without one, that is the smallest key that there can be. */
export function watchedKey({ key }: WatchCreateRequest): Buffer {
  return key.length === 0 ? Buffer.of(0) : key;
}

const noBytes = Buffer.alloc(0);

function eventOf(change: KeyChange, wantsPrevious: boolean): MessageInput<EtcdEvent> {
  const prevKv = wantsPrevious && change.previous !== undefined ? keyValueOf(change.previous) : null;
  const key = Buffer.from(change.key);
  if (change.type === "delete") {
    const kv = { key, createRevision: 0, modRevision: change.revision, version: 0, value: noBytes, lease: 0n };
    return { type: eventType.delete, kv, prevKv };
  }
  const { createRevision, revision: modRevision, version, value, lease } = change;
  return { type: eventType.put, kv: { key, createRevision, modRevision, version, value, lease }, prevKv };
}

/** Splits changes into answers of whole revisions: clients count the answers that wait, not their bytes. */
function answersOf(changes: readonly KeyChange[], wantsPrevious: boolean): readonly (readonly KeyChange[])[] {
  const answers: KeyChange[][] = [[]];
  let bytes = 0;
  let revision = 0;
  for (const change of changes) {
    if (bytes >= answerBytes && change.revision !== revision) {
      answers.push([]);
      bytes = 0;
    }
    answers.at(-1)?.push(change);
    bytes += sizeOf(change, wantsPrevious);
    revision = change.revision;
  }
  return answers;
}

/** Splits changes so that each part, if it has more than one, is a message of a limited size. */
function fragmentsOf(changes: readonly KeyChange[], wantsPrevious: boolean): readonly (readonly KeyChange[])[] {
  const parts: KeyChange[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const change of changes) {
    const size = sizeOf(change, wantsPrevious);
    if (bytes + size > fragmentBytes) {
      parts.push([]);
      bytes = 0;
    }
    parts.at(-1)?.push(change);
    bytes += size;
  }
  return parts;
}

function sizeOf(change: KeyChange, wantsPrevious: boolean): number {
  const value = change.type === "put" ? change.value.length : 0;
  return 64 + 2 * change.key.length + value + (wantsPrevious ? (change.previous?.value.length ?? 0) : 0);
}
