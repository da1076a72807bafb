import { pause } from "@gatehouse/component-base/time";
import { RevisionCompactedError, StoreDamagedError } from "../../errors/errors.js";
import { KeyTable } from "../key-table.js";
import type { Store, StoreEvent, WatchBatch } from "../store.js";

/** The store that a feed follows, and its callback. */
export interface StoreFeedOptions {
  readonly store: Store;
  /** Prefix of everything in the store, `/registry/`. */
  readonly prefix: string;
  /** Called with the error when the store's watch broke, once until it works again; the feed tries again by itself. */
  readonly onTrouble: (error: unknown) => void;
}

/** The cache of one resource, as the feed sees it. */
export interface FeedListener {
  /** Key prefix of the resource, with a slash at its end. */
  readonly prefix: string;
  /** Reports whether changes mean something to the cache; otherwise it reads its state before it needs them again. */
  readonly wantsEvents: boolean;
  /**
   * Called with changes in order. Those of one revision, which etcd makes when a lease ends, may come in several calls;
   * `onProgress` follows the last one.
   */
  onEvents(events: readonly StoreEvent[]): void;
  /** Called when changes have been handed out and the feed's revision has grown. */
  onProgress(): void;
  /** Called when changes may have been missed: the cache must read its state anew. */
  onLost(): Promise<void>;
  /** Called between changes: the cache must read anew what it could not read. */
  readDamagedAnew(): Promise<void>;
}

interface Waiter {
  readonly revision: number;
  readonly resolve: (reached: boolean) => void;
}

const firstRetryMs = 50;
const maxRetryMs = 5000;

/**
 * One watch on the whole store for all caches of the process: it hands every event to the cache of its resource, and
 * knows how far the process has seen. A cache is as fresh as the feed.
 */
export class StoreFeed implements AsyncDisposable {
  readonly #store: Store;
  readonly #prefix: string;
  readonly #onTrouble: (error: unknown) => void;
  readonly #listeners: KeyTable<FeedListener>;
  readonly #waiters = new Set<Waiter>();
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;
  readonly #started: Promise<void>;
  #revision = 0;
  #isDamageReadable = false;
  #watching = new AbortController();

  constructor(options: StoreFeedOptions) {
    this.#store = options.store;
    this.#prefix = options.prefix;
    this.#listeners = new KeyTable(options.prefix);
    this.#onTrouble = options.onTrouble;
    let started = (): void => {};
    this.#started = new Promise((resolve) => {
      started = resolve;
    });
    this.#running = this.#run(started);
  }

  /** Newest revision whose changes have all been handed out. 0 before the feed has begun. */
  get revision(): number {
    return this.#revision;
  }

  /** Resolves when the feed knows where it is. */
  started(): Promise<void> {
    return this.#started;
  }

  register(listener: FeedListener): void {
    this.#listeners.set(listener.prefix, listener);
  }

  /** Removes a listener. Another one that has taken its place stays. */
  unregister(listener: FeedListener): void {
    if (this.#listeners.get(listener.prefix) === listener) {
      this.#listeners.delete(listener.prefix);
    }
  }

  /** Waits until the feed has seen `revision`; false after the timeout or when the signal aborts. */
  waitFor(revision: number, signal: AbortSignal, timeoutMs: number): Promise<boolean> {
    if (this.#revision >= revision || signal.aborted) {
      return Promise.resolve(this.#revision >= revision);
    }
    return new Promise((resolve) => {
      const finish = (reached: boolean): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", onAbort);
        this.#waiters.delete(waiter);
        resolve(reached);
      };
      const waiter: Waiter = { revision, resolve: finish };
      const timer = setTimeout(() => finish(false), timeoutMs);
      const onAbort = (): void => finish(false);
      signal.addEventListener("abort", onAbort, { once: true });
      this.#waiters.add(waiter);
    });
  }

  /** Has caches read anew what they could not read, since it may be readable now. Changes wait until they have. */
  readDamagedAnew(): void {
    this.#isDamageReadable = true;
    this.#watching.abort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(started: () => void): Promise<void> {
    const { signal } = this.#stopping;
    let retryMs = firstRetryMs;
    let isLost = false;
    while (!signal.aborted) {
      try {
        if (this.#revision === 0) {
          this.#advance(await this.#store.currentRevision());
          started();
        }
        if (isLost) {
          await this.#startOver();
          isLost = false;
        }
        this.#watching = new AbortController();
        if (this.#isDamageReadable) {
          this.#isDamageReadable = false;
          await Promise.all([...this.#listeners.owners()].map((listener) => listener.readDamagedAnew()));
        }
        const watch = this.#store.watch({
          prefix: this.#prefix,
          afterRevision: this.#revision,
          signal: AbortSignal.any([signal, this.#watching.signal]),
          onCommitted: (batch) => this.#dispatch(batch),
          isWanted: (key) => this.#listeners.find(key)?.wantsEvents === true,
          withUnreadable: true,
        });
        for await (const batch of watch) {
          if (batch.unreadable !== undefined) {
            await this.#readAnewAfter(batch.unreadable);
          }
          this.#dispatch(batch);
          retryMs = firstRetryMs;
        }
      } catch (error) {
        if (signal.aborted) {
          return;
        }
        if (retryMs === firstRetryMs) {
          this.#onTrouble(error); // once, until it has worked again
        }
        // A feed that waited at a damaged change would never see a new one again.
        isLost ||= error instanceof RevisionCompactedError || error instanceof StoreDamagedError;
        await pause(retryMs, signal);
        retryMs = Math.min(retryMs * 2, maxRetryMs);
      }
    }
  }

  /** Begins again from now, with every cache, since the changes meanwhile are no longer retained. */
  async #startOver(): Promise<void> {
    const revision = await this.#store.currentRevision();
    await Promise.all([...this.#listeners.owners()].map((listener) => listener.onLost()));
    this.#advance(revision);
    for (const listener of this.#listeners.owners()) {
      listener.onProgress();
    }
  }

  /**
   * Has the caches whose changes cannot be read read their state anew, which includes these changes. One that cannot do so
   * now wants no further changes; the caches of other resources notice nothing.
   */
  async #readAnewAfter(unreadable: readonly StoreDamagedError[]): Promise<void> {
    const owners = new Set(unreadable.map(({ key = "" }) => this.#listeners.find(key)));
    await Promise.all([...owners].map((listener) => listener?.onLost()));
  }

  #dispatch(batch: WatchBatch): void {
    const touched = new Set<FeedListener>();
    let run: StoreEvent[] = [];
    let owner: FeedListener | undefined;
    for (const event of batch.events) {
      const listener = this.#listeners.find(event.key);
      if (listener !== owner) {
        this.#handOut(owner, run);
        run = [];
        owner = listener;
      }
      if (listener !== undefined) {
        run.push(event);
        touched.add(listener);
      }
    }
    this.#handOut(owner, run);
    this.#advance(batch.revision);
    for (const listener of touched) {
      listener.onProgress();
    }
  }

  #handOut(listener: FeedListener | undefined, events: readonly StoreEvent[]): void {
    if (listener !== undefined && events.length > 0) {
      listener.onEvents(events);
    }
  }

  #advance(revision: number): void {
    if (revision <= this.#revision) {
      return;
    }
    this.#revision = revision;
    for (const waiter of this.#waiters) {
      if (waiter.revision <= revision) {
        waiter.resolve(true);
      }
    }
  }
}
