import { randomUUID } from "node:crypto";
import { pause } from "@gatehouse/component-base/time";
import { StoreTimeoutError } from "../../errors/errors.js";
import type { WriteResult } from "../../storage/store.js";
import { type BackingObjects, isRefusal } from "./backing-objects.js";
import { decodeHead, encodeHead, type Head, type HeadChange, sizeOfChange } from "./head.js";
import type { StoreCopy } from "./store-copy.js";

/** A write as its caller asks for it: a put with a value, or a delete. */
export interface KeyWrite {
  readonly key: string;
  readonly value: Buffer | undefined;
  readonly expectedRevision: number;
  readonly expiresAtMs?: number;
}

interface QueuedWrite extends KeyWrite {
  readonly deadline: number;
  readonly resolve: (result: WriteResult) => void;
  readonly reject: (error: unknown) => void;
}

/** The bytes of the fields of a ConfigMap, less some for the members of the head that have no changes. */
const maxBatchBytes = 1024 * 1024 - 2048;
/** The time in milliseconds that a write may wait for others. */
const writeTimeoutMs = 30_000;
/** The longest pause in milliseconds after another process was faster, so that both get their turn. */
const longestBackoffMs = 50;

/**
 * The writes of a process to a store in front. Those that wait are committed together, with one write of the head,
 * which succeeds only if nobody else has written it since.
 */
export class WriteQueue {
  readonly #copy: StoreCopy;
  readonly #objects: BackingObjects;
  readonly #store: string;
  readonly #onTrouble: (error: unknown) => void;
  readonly #signal: AbortSignal;
  #queue: QueuedWrite[] = [];
  #compactTo = 0;
  #compacting: { readonly resolve: () => void; readonly reject: (error: unknown) => void }[] = [];
  #running: Promise<void> | undefined;
  /** The sequence number of the newest head whose changes are in the records of their keys. */
  #appliedTo = 0;

  constructor(
    copy: StoreCopy,
    options: {
      readonly objects: BackingObjects;
      readonly store: string;
      readonly onTrouble: (error: unknown) => void;
      readonly signal: AbortSignal;
    },
  ) {
    this.#copy = copy;
    this.#objects = options.objects;
    this.#store = options.store;
    this.#onTrouble = options.onTrouble;
    this.#signal = options.signal;
  }

  /** Writes a key. Rejects with an error of stores. */
  write(write: KeyWrite): Promise<WriteResult> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ ...write, deadline: performance.now() + writeTimeoutMs, resolve, reject });
      this.#start();
    });
  }

  /** Forgets history up to a revision, in all processes of the store. */
  compact(revision: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#compactTo = Math.max(this.#compactTo, revision);
      this.#compacting.push({ resolve, reject });
      this.#start();
    });
  }

  /** Resolves when nothing is under way any more, after the signal of the store. */
  async ended(): Promise<void> {
    await this.#running;
  }

  #start(): void {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      if (this.#hasWork) {
        this.#start();
      }
    });
  }

  get #hasWork(): boolean {
    return this.#queue.length > 0 || this.#compacting.length > 0;
  }

  async #run(): Promise<void> {
    // Lets the writes of this turn share a batch.
    await Promise.resolve();
    while (this.#hasWork) {
      const { sequence } = this.#copy.head;
      try {
        this.#dropLate();
        await this.#applyHead();
        await this.#writeBatch();
      } catch (error) {
        this.#rejectAll(error);
      }
      if (this.#copy.head.sequence === sequence && this.#hasWork) {
        await pause(Math.random() * longestBackoffMs, this.#signal);
      }
    }
    try {
      await this.#applyHead();
    } catch (error) {
      // The next writer does it, of this process or another, and who loads the store reads the head as well.
      if (!this.#signal.aborted) {
        this.#onTrouble(error);
      }
    }
  }

  #dropLate(): void {
    const now = performance.now();
    this.#queue = this.#queue.filter(({ deadline, reject }) => {
      if (deadline < now) {
        reject(new StoreTimeoutError());
      }
      return deadline >= now;
    });
  }

  #rejectAll(error: unknown): void {
    for (const { reject } of [...this.#queue.splice(0), ...this.#compacting.splice(0)]) {
      reject(error);
    }
  }

  async #applyHead(): Promise<void> {
    const { head, data, records } = this.#copy;
    if (head.sequence > this.#appliedTo) {
      await records.apply(head, (key) => data.get(key, data.revision));
      this.#appliedTo = head.sequence;
    }
  }

  async #writeBatch(): Promise<void> {
    const { head, data, records } = this.#copy;
    if (head.sequence !== this.#appliedTo) {
      return;
    }
    const writes = this.#selectWrites();
    const compactRevision = Math.max(head.compactRevision, Math.min(this.#compactTo, data.revision));
    if (writes.length === 0 && compactRevision === head.compactRevision) {
      await this.#resolveRest();
      return;
    }
    const created = writes.filter(({ expectedRevision }) => expectedRevision === 0).map(({ key }) => key);
    const prepared = await records.prepare(created);
    if (this.#copy.head !== head) {
      return;
    }
    const used = new Set(prepared.values());
    const next: Head = {
      sequence: head.sequence + 1,
      batch: randomUUID(),
      fromRevision: data.revision,
      compactRevision,
      changes: writes.map(({ key, value, expiresAtMs }): HeadChange => {
        const uid = prepared.get(key) ?? records.uidOf(key);
        return { key, uid, value, ...(expiresAtMs !== undefined && { expiresAtMs }) };
      }),
      abandoned: this.#copy.abandoned.filter(({ uid }) => !used.has(uid)).slice(0, maxAbandoned),
    };
    if (!(await this.#commit(next, head.version))) {
      return;
    }
    const done = new Set(writes);
    this.#queue = this.#queue.filter((write) => !done.has(write));
    for (const [index, { resolve }] of writes.entries()) {
      resolve({ succeeded: true, revision: next.fromRevision + 1 + index });
    }
    for (const { resolve } of this.#compacting.splice(0)) {
      resolve();
    }
  }

  /** Selects the writes of the next batch: at most one of a key, whose condition holds. */
  #selectWrites(): readonly QueuedWrite[] {
    const keys = new Set<string>();
    const selected: QueuedWrite[] = [];
    let bytes = 0;
    for (const write of this.#queue) {
      const size = sizeOfChange(write.key, write.value);
      if (keys.has(write.key) || !this.#holds(write) || bytes + size > maxBatchBytes) {
        continue;
      }
      keys.add(write.key);
      selected.push(write);
      bytes += size;
    }
    return selected;
  }

  #holds({ key, value, expectedRevision }: KeyWrite): boolean {
    const { data } = this.#copy;
    const current = data.get(key, data.revision);
    return (current?.modRevision ?? 0) === expectedRevision && (value !== undefined || current !== undefined);
  }

  /** Answers the writes whose conditions do not hold, having made sure that what is known is the newest. */
  async #resolveRest(): Promise<void> {
    const asked = new Set(this.#queue);
    const compacting = [...this.#compacting];
    await this.#copy.catchUp();
    const { data } = this.#copy;
    this.#queue = this.#queue.filter((write) => {
      const isLost = asked.has(write) && !this.#holds(write);
      if (isLost) {
        write.resolve({ succeeded: false, current: data.get(write.key, data.revision) });
      }
      return !isLost;
    });
    if (this.#copy.head.compactRevision >= Math.min(this.#compactTo, data.revision)) {
      this.#compacting = this.#compacting.filter((one) => !compacting.includes(one));
      for (const { resolve } of compacting) {
        resolve();
      }
    }
  }

  /**
   * Writes the head, in place of a version. Resolves to false when another process was faster. Rejects when it was refused,
   * and with StoreTimeoutError when it stays unknown whether it has been written.
   */
  async #commit(next: Head, version: Parameters<BackingObjects["update"]>[1]): Promise<boolean> {
    const copy = this.#copy;
    const { reloads, head } = copy;
    copy.await(next.batch);
    let failure: unknown;
    try {
      const written = await this.#objects.update(this.#store, version, encodeHead(next));
      if (written !== undefined) {
        copy.take(decodeHead(written));
        return true;
      }
    } catch (error) {
      if (isRefusal(error) || this.#signal.aborted) {
        throw error;
      }
      failure = error;
    }
    // A conflict may be with the same request, sent twice over a connection that was lost.
    await copy.catchUp().catch((cause: unknown) => {
      throw new StoreTimeoutError({ cause: failure ?? cause });
    });
    if (copy.hasSeenAwaited) {
      return true;
    }
    if (copy.head === head || copy.reloads !== reloads) {
      // It may still be on its way, or among the batches that were missed.
      throw new StoreTimeoutError({ cause: failure });
    }
    // The version that it replaces is gone.
    return false;
  }
}

/** Records that are given up with one write of the head. */
const maxAbandoned = 100;
