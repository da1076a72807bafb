import {
  type ClientResource,
  isTerminating,
  type ObjectObserver,
  type ObservedEvent,
  type ObservedObject,
  uidOf,
  type WorkQueue,
} from "@gatehouse/apiserver/client";
import type { CacheEntry } from "@gatehouse/apiserver/storage";
import { QuotaIndex, resourceKey } from "./quota-index.js";
import type { ResourceQuotaOptions } from "./quota-usage.js";

/** Milliseconds for which deletions are collected: many objects go together, and their quota is counted once. */
const batchMs = 50;
const terminalMarks = [Buffer.from('"phase":"Failed"'), Buffer.from('"phase":"Succeeded"')];

/** Follows what quotas count, and nothing else: from when both the quota is there and its resource is served. */
export class CountedResources {
  readonly #options: ResourceQuotaOptions;
  readonly #queue: WorkQueue;
  readonly #signal: AbortSignal;
  readonly #index = new QuotaIndex();
  readonly #served = new Map<string, { readonly resource: ClientResource; readonly until: AbortSignal }>();
  readonly #followed = new Set<string>();

  constructor(options: ResourceQuotaOptions, queue: WorkQueue, signal: AbortSignal) {
    this.#options = options;
    this.#queue = queue;
    this.#signal = signal;
  }

  /** Adds a resource that is served until the signal aborts. */
  serve(resource: ClientResource, until: AbortSignal): void {
    const key = resourceKey(resource);
    this.#served.set(key, { resource, until });
    const end = (): void => {
      if (this.#served.get(key)?.until === until) {
        this.#served.delete(key);
        this.#followed.delete(key);
      }
    };
    until.addEventListener("abort", end, { once: true });
    const quotas = this.#index.counting(key);
    if (quotas.length > 0) {
      this.#follow(key);
    }
    this.#reckonAll(quotas);
  }

  /** Adds or replaces a quota. */
  add(namespace: string, name: string, entry: CacheEntry): void {
    for (const resource of this.#index.set(namespace, name, entry)) {
      this.#follow(resourceKey(resource));
    }
  }

  delete(namespace: string, name: string): void {
    this.#index.delete(namespace, name);
  }

  #follow(key: string): void {
    const served = this.#served.get(key);
    if (served === undefined || this.#followed.has(key)) {
      return;
    }
    this.#followed.add(key);
    const { client, onError } = this.#options;
    const signal = AbortSignal.any([this.#signal, served.until]);
    client.observe(served.resource, this.#observer(key), signal).catch((error: unknown) => {
      this.#followed.delete(key);
      if (!signal.aborted) {
        onError(error);
      }
    });
  }

  #observer(key: string): ObjectObserver {
    return {
      onList: (objects) => {
        for (const object of objects) {
          this.#settle(object);
        }
        // The list of another server comes some time after the quotas, and tells of namespaces without objects, too.
        this.#reckonAll(this.#index.counting(key));
      },
      onEvent: (event) => {
        if (event.type !== "DELETED") {
          this.#settle(event);
        }
        if (matters(key, event)) {
          this.#reckonAll(this.#index.of(event.namespace, key).map((name) => `${event.namespace}/${name}`));
        }
      },
      onError: this.#options.onError,
    };
  }

  #settle({ namespace, entry }: ObservedObject): void {
    const { pendingCharges } = this.#options;
    if (pendingCharges.isPending(namespace)) {
      pendingCharges.settle(namespace, uidOf(entry));
    }
  }

  #reckonAll(quotas: readonly string[]): void {
    for (const quota of quotas) {
      this.#queue.addAfter(quota, batchMs);
    }
  }
}

/**
 * Reports whether an event can lower the usage. Admission charges increases; pods change often, but use less only when
 * they end.
 */
function matters(resource: string, { type, entry, previous }: ObservedEvent): boolean {
  if (type !== "MODIFIED" || previous === undefined) {
    return type === "DELETED";
  }
  if (resource === "/services" || resource === "/persistentvolumeclaims") {
    return true;
  }
  if (resource !== "/pods") {
    return false;
  }
  const hasEnded = terminalMarks.some((mark) => entry.bytes.includes(mark) !== previous.bytes.includes(mark));
  return hasEnded || isTerminating(entry) !== isTerminating(previous);
}
