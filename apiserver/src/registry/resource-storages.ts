import { groupResourceText } from "@gatehouse/envelopes/status";
import { CustomValueFormat } from "../forms/at-rest/custom-value-format.js";
import { TypedValueFormat } from "../forms/at-rest/typed-value-format.js";
import type { ValueFormatOptions } from "../forms/at-rest/value-format-options.js";
import { defaultWatchCaches, hasWatchCache, type WatchCaches } from "../options/watch-caches.js";
import { ResourceCache } from "../storage/cache/resource-cache.js";
import type { StorageMetrics } from "../storage/cache/storage-metrics.js";
import type { StoreFeed } from "../storage/cache/store-feed.js";
import type { Store } from "../storage/store.js";
import type { ValueFormat, ValueFormats } from "../storage/values/value-formats.js";
import type { ResourceDefinition, StorageLocation } from "./resource-definition.js";
import { ResourceStorage } from "./resource-storage.js";

/** A store, and the feed of its changes. */
export interface FollowedStore {
  readonly store: Store;
  readonly feed: StoreFeed;
}

/** The store that resources share, and the prefix of their keys. */
export interface ResourceStoragesOptions extends FollowedStore {
  /** Stores of resources that do not share it, by the prefix of their location. */
  readonly others?: ReadonlyMap<string, FollowedStore>;
  /** Prefix of every key in the store, with a slash at its end (`--etcd-prefix`). */
  readonly keyPrefix: string;
  /** The resources that have a watch cache; those of v1.29 by default. */
  readonly watchCaches?: WatchCaches | undefined;
  /** Counts what the caches do; nobody counts when absent. */
  readonly metrics?: StorageMetrics | undefined;
  /** The formats of values at rest, which opened resources join; absent when values lie in canonical JSON. */
  readonly formats?: { readonly table: ValueFormats; readonly options: ValueFormatOptions } | undefined;
}

/**
 * The storages of all resources, each with its cache: one for all versions of a kind. Storages outlive the liveRegistry
 * that name them, so that a changed definition keeps what has been read.
 */
export class ResourceStorages {
  readonly #options: ResourceStoragesOptions;
  readonly #byPrefix = new Map<string, ResourceStorage>();

  constructor(options: ResourceStoragesOptions) {
    this.#options = options;
  }

  /** Returns the storage of a location, opened at the first call. Reads nothing before it is needed. */
  open(
    definition: Pick<ResourceDefinition, "group" | "resource" | "namespaced" | "kind" | "unstructured">,
    location: StorageLocation,
  ): ResourceStorage {
    const { formats, metrics, watchCaches = defaultWatchCaches } = this.#options;
    const { store, feed } = this.#options.others?.get(location.prefix) ?? this.#options;
    const prefix = this.#prefixOf(location);
    let storage = this.#byPrefix.get(prefix);
    if (storage === undefined) {
      formats?.table.set(prefix, formatOf(definition, location, formats.options));
      const cache = new ResourceCache({
        store,
        feed,
        prefix,
        metrics: metrics?.of(groupResourceText(definition), `/${location.prefix}`),
      });
      storage = new ResourceStorage({
        store,
        feed,
        prefix,
        namespaced: definition.namespaced,
        hasWatchCache: hasWatchCache(watchCaches, definition, definition.unstructured !== undefined),
        cache,
      });
      this.#byPrefix.set(prefix, storage);
    }
    return storage;
  }

  /** True if the changes of every store are followed. */
  get areFollowed(): boolean {
    const feeds = [this.#options.feed, ...Array.from(this.#options.others?.values() ?? [], ({ feed }) => feed)];
    return feeds.every(({ revision }) => revision > 0);
  }

  /** Returns the prefixes of resources whose cache has been filled and is lost. */
  lost(): readonly string[] {
    return [...this.#byPrefix].filter(([, { cache }]) => cache.isLost).map(([prefix]) => prefix);
  }

  /**
   * Waits until the caches have seen a revision, then forgets their events: watches under way end with 410. Resources in
   * stores of their own are left out. Rejects when the caches do not follow within `timeoutMs`.
   */
  async forgetHistory(revision: number, signal: AbortSignal, timeoutMs: number): Promise<void> {
    if (!(await this.#options.feed.waitFor(revision, signal, timeoutMs))) {
      throw new Error(`the caches have not reached revision ${revision} within ${timeoutMs} ms`);
    }
    for (const { cache } of this.#byPrefix.values()) {
      cache.forgetHistory();
    }
  }

  /**
   * Takes what is stored at a location out of service: its watches end and its memory is given back; what is stored stays
   * stored. It can be opened again.
   */
  close(location: StorageLocation): void {
    const prefix = this.#prefixOf(location);
    this.#byPrefix.get(prefix)?.[Symbol.dispose]();
    this.#byPrefix.delete(prefix);
    this.#options.formats?.table.delete(prefix);
  }

  #prefixOf({ prefix }: StorageLocation): string {
    return `${this.#options.keyPrefix}${prefix}/`;
  }
}

function formatOf(
  { kind, unstructured }: Pick<ResourceDefinition, "kind" | "unstructured">,
  location: StorageLocation,
  options: ValueFormatOptions,
): ValueFormat {
  return unstructured === undefined
    ? new TypedValueFormat({ ...location, kind }, options)
    : new CustomValueFormat(options);
}
