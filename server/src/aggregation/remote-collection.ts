import { setTimeout as wait } from "node:timers/promises";
import type { ObjectObserver, ObservedObject } from "@gatehouse/apiserver/client";
import { metaOf, type ObjectMeta } from "@gatehouse/apiserver/objects";
import { CacheEntry } from "@gatehouse/apiserver/storage";
import type { JsonObject } from "@gatehouse/envelopes/json";
import type { RemoteEvent, RemoteRequests, RemoteResource } from "./remote-requests.js";
import { RemoteServerError } from "./remote-server-error.js";

/** Dependencies of RemoteCollection. */
export interface RemoteCollectionOptions {
  readonly requests: RemoteRequests;
  readonly resource: RemoteResource;
  readonly observer: ObjectObserver;
  /** Ends the collection. */
  readonly signal: AbortSignal;
}

/** Callers that wait for a list which begins after their call. */
interface Waiting {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Bounds of the pause in milliseconds between two rounds of list and watch. */
const minPauseMs = 1000;
const maxPauseMs = 30_000;

/**
 * The metadata of all objects of a resource of another server, kept by list and watch. While the server is away, the last
 * known objects stay.
 */
export class RemoteCollection {
  readonly #options: RemoteCollectionOptions;
  readonly #stopped: Promise<void>;
  #objects: ReadonlyMap<string, ObservedObject> | undefined;
  /** The outcome of the last list: true if it succeeded, or if there was none yet. */
  #isFollowed = true;
  /** True if the observer has been told that the server is away. */
  #isTold = false;
  #next: Waiting | undefined;
  /** Ends the watch of this round, or the pause after it. */
  #round = new AbortController();

  constructor(options: RemoteCollectionOptions) {
    this.#options = options;
    this.#stopped = this.#run();
  }

  /** Returns the last known state of an object. */
  get(namespace: string, name: string): CacheEntry | undefined {
    return this.#objects?.get(keyOf(namespace, name))?.entry;
  }

  /** Returns the last known number of objects in a namespace; undefined before the first list. */
  count(namespace: string): number | undefined {
    if (this.#objects === undefined) {
      return undefined;
    }
    let count = 0;
    for (const object of this.#objects.values()) {
      count += object.namespace === namespace ? 1 : 0;
    }
    return count;
  }

  /**
   * Resolves when the observer knows of all that the server had at the time of the call. Resolves at once while the server
   * is known to be away: then the last known objects count. Rejects when it turns out to be away.
   */
  async refresh(): Promise<void> {
    if (!this.#isFollowed || this.#options.signal.aborted) {
      return;
    }
    this.#next ??= waiting();
    this.#round.abort();
    await Promise.race([this.#next.promise, this.#stopped]);
  }

  async #run(): Promise<void> {
    const { requests, resource, signal } = this.#options;
    for (let failures = 0; !signal.aborted; ) {
      this.#round = new AbortController();
      const ends = AbortSignal.any([signal, this.#round.signal]);
      try {
        const resourceVersion = await this.#listForWaiting();
        await requests.watch(resource, resourceVersion, (event) => this.#take(event), ends);
        failures = 0;
      } catch (error) {
        if (!ends.aborted) {
          failures++;
          this.#tellOnce(error);
        }
      }
      const pauseMs = Math.min(maxPauseMs, minPauseMs * 2 ** failures);
      await wait(pauseMs, undefined, { signal: ends }).catch(() => {});
    }
  }

  /** Tells the observer of the first failure since the last list. */
  #tellOnce(error: unknown): void {
    if (!this.#isTold) {
      this.#isTold = true;
      this.#options.observer.onError(error);
    }
  }

  /** Lists the objects, and tells those who have waited for it how that went. */
  async #listForWaiting(): Promise<string> {
    const asked = this.#takeWaiting();
    try {
      const resourceVersion = await this.#list();
      this.#isFollowed = true;
      this.#isTold = false;
      asked?.resolve();
      return resourceVersion;
    } catch (error) {
      this.#isFollowed = false;
      asked?.reject(error);
      this.#takeWaiting()?.reject(error);
      throw error;
    }
  }

  #takeWaiting(): Waiting | undefined {
    const next = this.#next;
    this.#next = undefined;
    return next;
  }

  async #list(): Promise<string> {
    const { requests, resource, observer, signal } = this.#options;
    const before = this.#objects;
    const { items, resourceVersion } = await requests.list(resource, "", signal);
    const objects = new Map<string, ObservedObject>();
    for (const item of items) {
      const object = observed(item);
      objects.set(keyOf(object.namespace, object.name), object);
    }
    this.#objects = objects;
    if (before === undefined) {
      observer.onList([...objects.values()]);
      return resourceVersion;
    }
    for (const [key, object] of before) {
      if (!objects.has(key)) {
        observer.onEvent({ ...object, type: "DELETED", previous: object.entry });
      }
    }
    for (const [key, object] of objects) {
      const previous = before.get(key)?.entry;
      if (previous?.bytes.equals(object.entry.bytes) !== true) {
        observer.onEvent({ ...object, type: previous === undefined ? "ADDED" : "MODIFIED", previous });
      }
    }
    return resourceVersion;
  }

  #take({ type, object }: RemoteEvent): void {
    if (type !== "ADDED" && type !== "MODIFIED" && type !== "DELETED") {
      if (type === "BOOKMARK") {
        return;
      }
      throw new RemoteServerError(`the watch has ended with ${type}`);
    }
    const objects = this.#objects as Map<string, ObservedObject>;
    const next = observed(object);
    const key = keyOf(next.namespace, next.name);
    const previous = objects.get(key)?.entry;
    if (type === "DELETED") {
      objects.delete(key);
    } else {
      objects.set(key, next);
    }
    this.#options.observer.onEvent({ ...next, type, previous });
  }
}

/** Makes an ObservedObject that holds what the garbage collector looks at. */
export function observed(object: JsonObject): ObservedObject {
  const meta: ObjectMeta = metaOf(object);
  const { namespace = "", name = "", uid, resourceVersion, deletionTimestamp, finalizers, ownerReferences } = meta;
  // An entry finds its uid as the first in its bytes: those of the owners come after it.
  const kept = { name, namespace, uid, resourceVersion, deletionTimestamp, finalizers, ownerReferences };
  const bytes = Buffer.from(JSON.stringify({ metadata: kept }));
  return { namespace, name, entry: CacheEntry.of(keyOf(namespace, name), 0, bytes) };
}

function keyOf(namespace: string, name: string): string {
  return `${namespace}/${name}`;
}

function waiting(): Waiting {
  let settle = { resolve() {}, reject(_error: unknown) {} };
  const promise = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject };
  });
  promise.catch(() => {});
  return { promise, ...settle };
}
