import {
  type Counter,
  type Gauge,
  type Labelled,
  type MetricsRegistry,
  onFirstUse,
} from "@gatehouse/component-base/metrics";

/** The metrics of the cache of one resource, and of the reads that fill it. */
export interface CacheMetrics {
  /** Counts that the cache has been filled from the store. */
  initialized(): void;
  /** Counts changes that the store has told of. */
  received(events: number): void;
  /** Counts a change that watchers can see. */
  dispatched(): void;
  /** Records the number of events that the cache has room for. */
  capacity(events: number): void;
  /** Counts events that a watch begins with. */
  initialEvents(events: number): void;
  /** Counts a watch that has ended because its client was too slow. */
  watcherTerminated(): void;
  /** Counts a read of the collection from the store. */
  storeList(objects: number): void;
  /** Counts a list that the cache has answered: the objects that were looked at, and those that were returned. */
  cacheList(fetched: number, returned: number): void;
}

/** Makes the metrics of each resource, under v1.29's names. */
export interface StorageMetrics {
  /** `resource` is the name in labels, `deployments.apps`; `prefix` is that of the keys, `/deployments`. */
  of(resource: string, prefix: string): CacheMetrics;
  /** Counts a value that cannot be read. */
  decodeError(resource: string): void;
}

type ByResource<C> = Labelled<"resource", C>;

/** Registers the metrics of caches and of what is stored. */
export function storageMetrics(registry: MetricsRegistry): StorageMetrics {
  const byResource = (name: string, help: string): ByResource<Counter> =>
    registry.counter({ name, help, labelNames: ["resource"] });
  const initializations = byResource("apiserver_watch_cache_initializations_total", "Caches filled from the store.");
  const received = byResource("apiserver_watch_cache_events_received_total", "Changes received from the store.");
  const dispatched = byResource("apiserver_watch_cache_events_dispatched_total", "Changes shown to watches.");
  const initial = byResource("apiserver_init_events_total", "Events that watches have begun with.");
  const terminated = byResource("apiserver_terminated_watchers_total", "Watches ended since clients were too slow.");
  const capacity: ByResource<Gauge> = registry.gauge({
    name: "watch_cache_capacity",
    help: "Events that the cache of a resource has room for.",
    labelNames: ["resource"],
  });
  const growth = byResource("watch_cache_capacity_increase_total", "Times that the room for events has grown.");
  const lists = byResource("apiserver_storage_list_total", "Collections read from the store.");
  const fetched = byResource("apiserver_storage_list_fetched_objects_total", "Objects read in collections.");
  const evaluated = byResource("apiserver_storage_list_evaluated_objects_total", "Objects tested in collections.");
  const returned = byResource("apiserver_storage_list_returned_objects_total", "Objects taken from collections.");
  const decodeErrors = byResource("apiserver_storage_decode_errors_total", "Stored values that cannot be read.");
  const cacheLists = registry.counter({
    name: "apiserver_cache_list_total",
    help: "Lists answered from the cache.",
    labelNames: ["resource_prefix", "index"],
  });
  const cacheFetched = registry.counter({
    name: "apiserver_cache_list_fetched_objects_total",
    help: "Objects looked at for lists.",
    labelNames: ["resource_prefix", "index"],
  });
  const cacheReturned = registry.counter({
    name: "apiserver_cache_list_returned_objects_total",
    help: "Objects returned by lists.",
    labelNames: ["resource_prefix"],
  });
  return {
    decodeError: (resource) => decodeErrors.labels({ resource }).inc(),
    of(resource, prefix) {
      const series = onFirstUse(() => ({
        initializations: initializations.labels({ resource }),
        received: received.labels({ resource }),
        dispatched: dispatched.labels({ resource }),
        capacity: capacity.labels({ resource }),
      }));
      const listSeries = onFirstUse(() => {
        const indexed = { resource_prefix: prefix, index: "" };
        return {
          total: cacheLists.labels(indexed),
          fetched: cacheFetched.labels(indexed),
          returned: cacheReturned.labels({ resource_prefix: prefix }),
        };
      });
      let room = 0;
      return {
        initialized: () => series().initializations.inc(),
        received: (events) => series().received.inc(events),
        dispatched: () => series().dispatched.inc(),
        capacity(events) {
          if (events > room && room > 0) {
            growth.labels({ resource }).inc();
          }
          room = events;
          series().capacity.set(events);
        },
        initialEvents: (events) => initial.labels({ resource }).inc(events),
        watcherTerminated: () => terminated.labels({ resource }).inc(),
        storeList(objects) {
          lists.labels({ resource }).inc();
          for (const counter of [fetched, evaluated, returned]) {
            counter.labels({ resource }).inc(objects);
          }
        },
        cacheList(looked, taken) {
          const { total, fetched: all, returned: some } = listSeries();
          total.inc();
          all.inc(looked);
          some.inc(taken);
        },
      };
    },
  };
}
