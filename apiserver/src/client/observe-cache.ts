import { pause } from "@gatehouse/component-base/time";
import { yieldToEventLoop } from "@gatehouse/envelopes/scheduling";
import { StatusError } from "@gatehouse/envelopes/status";
import { RevisionCompactedError } from "../errors/errors.js";
import type { ResourceStorage } from "../registry/resource-storage.js";
import type { CacheEntry } from "../storage/cache/cache-entry.js";
import type { CacheEvent } from "../storage/cache/cache-event.js";
import type { CacheWatcher } from "../storage/cache/cache-watcher.js";
import { backoffMs } from "./backoff.js";
import type { ObjectObserver, ObservedObject } from "./object-client.js";

/** The part of a resource's storage that observers need. */
export type ObservedStorage = Pick<ResourceStorage, "cache" | "prefix" | "namespaced">;

/** Number of events taken from the cache at a time. */
const batchSize = 512;

/**
 * Tells an observer of everything in a cache and then of every change, until the signal aborts. When changes have been
 * missed because history was compacted, everything is told anew. Resolves after the first list.
 */
export async function observeCache(
  storage: ObservedStorage,
  observer: ObjectObserver,
  signal: AbortSignal,
): Promise<void> {
  await storage.cache.ready();
  if (!signal.aborted) {
    await new CacheObserver(storage, observer, signal).start();
  }
}

/** Yields the objects behind entries of one resource; their keys hold the names. */
export function* observedObjects(
  storage: Pick<ObservedStorage, "prefix" | "namespaced">,
  entries: Iterable<CacheEntry>,
): Generator<ObservedObject> {
  for (const entry of entries) {
    const { namespace, name } = namesOfKey(storage, entry.key);
    // Written out: a list may have very many objects, and to spread is ten times as slow.
    yield { namespace, name, entry };
  }
}

/** Returns the names in a key of one resource; the namespace is empty for cluster-scoped objects. */
export function namesOfKey(
  storage: Pick<ObservedStorage, "prefix" | "namespaced">,
  key: string,
): { readonly namespace: string; readonly name: string } {
  const start = storage.prefix.length;
  if (!storage.namespaced) {
    return { namespace: "", name: key.slice(start) };
  }
  const slash = key.indexOf("/", start);
  return { namespace: key.slice(start, slash), name: key.slice(slash + 1) };
}

/** Bounds in milliseconds of the wait when the cache could not be read again. */
const retry = { firstMs: 200, maxMs: 30_000 };

/** Number of objects in one part of a list, which is told in one step: there may be very many objects. */
const objectsPerStep = 100;

class CacheObserver {
  readonly #storage: ObservedStorage;
  readonly #observer: ObjectObserver;
  readonly #signal: AbortSignal;
  #watcher: CacheWatcher | undefined;
  readonly #onAbort = (): void => this.#watcher?.close();

  constructor(storage: ObservedStorage, observer: ObjectObserver, signal: AbortSignal) {
    this.#storage = storage;
    this.#observer = observer;
    this.#signal = signal;
    signal.addEventListener("abort", this.#onAbort, { once: true });
  }

  async start(): Promise<void> {
    const { cache, prefix } = this.#storage;
    const snapshot = cache.snapshot();
    let part: ObservedObject[] = [];
    // What is damaged is nobody's to reconcile; whoever needs it reads it, and gets the error.
    for (const object of observedObjects(this.#storage, snapshot.wholeEntries(prefix))) {
      if (part.push(object) === objectsPerStep) {
        this.#tell(part);
        part = [];
        await yieldToEventLoop();
      }
    }
    if (this.#signal.aborted) {
      return;
    }
    this.#tell(part);
    this.#watcher = cache.watch({ afterRevision: snapshot.revision, onEvents: () => this.#pump() });
    this.#pump();
  }

  #tell(objects: readonly ObservedObject[]): void {
    try {
      this.#observer.onList(objects);
    } catch (error) {
      this.#observer.onError(error);
    }
  }

  /** Catches faults of an observer, which must not reach the feed that serves all of them. */
  #tellEvent(event: CacheEvent): void {
    const { type, entry, previous } = event;
    try {
      const { namespace, name } = namesOfKey(this.#storage, entry.key);
      // Written out, as above: every change of every object comes here.
      this.#observer.onEvent({ namespace, name, type, entry, previous });
    } catch (error) {
      this.#observer.onError(error);
    }
  }

  #pump(): void {
    const watcher = this.#watcher;
    if (watcher === undefined || this.#signal.aborted) {
      return;
    }
    try {
      for (let events = watcher.next(batchSize); events.length > 0; events = watcher.next(batchSize)) {
        for (const event of events) {
          this.#tellEvent(event);
        }
      }
    } catch (error) {
      watcher.close();
      this.#watcher = undefined;
      if (error instanceof StatusError) {
        this.#end();
        return;
      }
      void this.#startOver(error);
    }
  }

  /** Ends the observation of a resource that is no longer served, and releases its cache. */
  #end(): void {
    this.#signal.removeEventListener("abort", this.#onAbort);
  }

  /** Lists everything anew after the watch has ended with `error`. Never rejects. */
  async #startOver(error: unknown): Promise<void> {
    if (!(error instanceof RevisionCompactedError)) {
      this.#observer.onError(error);
    }
    for (let failures = 0; !this.#signal.aborted; failures++) {
      try {
        await this.#storage.cache.ready();
        await this.start();
        this.#observer.onMissed?.();
        return;
      } catch (failure) {
        this.#observer.onError(failure);
        if (failure instanceof StatusError) {
          this.#end();
          return;
        }
        await pause(backoffMs(failures, retry, Math.random), this.#signal);
      }
    }
  }
}
