import type { JsonObject } from "@gatehouse/envelopes/json";
import type { StepContext } from "@gatehouse/envelopes/scheduling";
import type { GroupVersionResource } from "@gatehouse/envelopes/schema";
import { type GroupResource, groupResourceText } from "@gatehouse/envelopes/status";
import type { ObjectAccess, ObjectReader, ObjectView } from "../admission/object-access.js";
import type { ObjectClient } from "../client/object-client.js";
import type { RegistrySource } from "../registry/live-registry.js";
import type { ServedResource } from "../registry/served-resource.js";
import type { MaybePromise } from "../request/handler.js";
import type { CacheEntry } from "../storage/cache/cache-entry.js";

/** The access of admission plugins to the objects of this server. */
export interface ServedObjectAccess extends ObjectAccess {
  /** Resolves when all views made so far can be read: caches are filled at their first use. */
  ready(): Promise<void>;
}

/** Opens the access of admission plugins to the objects of this server. `client` is called at the first write. */
export function objectAccess(liveRegistry: RegistrySource, client: () => ObjectClient): ServedObjectAccess {
  const viewed = new Map<string, GroupResource>();
  return {
    view(resource, compile) {
      viewed.set(groupResourceText(resource), resource);
      return new CachedView(liveRegistry, resource, compile);
    },
    async ready() {
      await Promise.all(
        Array.from(viewed.values(), (resource) => storedResource(liveRegistry, resource)?.storage.cache.ready()),
      );
    },
    reader: (resource) => new CachedReader(liveRegistry, resource),
    findKind: (apiVersion, kind) => liveRegistry.current.findKind(apiVersion, kind),
    create: (resource, object) => client().create(resource, object),
    update: (resource, target, revise) => client().update(resource, target, revise),
  };
}

/** Lists of objects that hold as long as the cache counts no further change. */
interface KnownLists<T> {
  readonly cache: object;
  readonly changes: number;
  /** The objects of each namespace that was asked for; those of all under the empty name. */
  readonly byNamespace: Map<string, readonly T[]>;
}

const none: readonly never[] = [];

/** Lists that are known at a time: clients choose namespaces, which need not exist. */
const maxKnownLists = 1000;

class CachedView<T> implements ObjectView<T> {
  readonly #liveRegistry: RegistrySource;
  readonly #resource: GroupResource;
  readonly #compile: (object: JsonObject) => T;
  readonly #compiled = new WeakMap<CacheEntry, { readonly value: T }>();
  /** The lists since the last change: most objects change rarely, and every write asks for those of some resources. */
  #known: KnownLists<T> | undefined;

  constructor(liveRegistry: RegistrySource, resource: GroupResource, compile: (object: JsonObject) => T) {
    this.#liveRegistry = liveRegistry;
    this.#resource = resource;
    this.#compile = compile;
  }

  get(namespace: string, name: string): T | undefined {
    const served = this.#served;
    const entry = served?.storage.cache.get(served.storage.keyOf(namespace, name));
    return served === undefined || entry === undefined ? undefined : this.#valueOf(served, entry);
  }

  list(namespace: string): readonly T[] {
    const served = this.#served;
    // Of most resources that plugins look at there is nothing, and every write is held against them.
    if (served === undefined || served.storage.cache.isEmpty) {
      return none;
    }
    const { cache } = served.storage;
    const { changes } = cache;
    if (this.#known?.cache !== cache || this.#known.changes !== changes) {
      this.#known = { cache, changes, byNamespace: new Map() };
    }
    const { byNamespace } = this.#known;
    let objects = byNamespace.get(namespace);
    if (objects === undefined) {
      objects = this.#listOf(served, namespace);
      if (byNamespace.size >= maxKnownLists) {
        byNamespace.clear();
      }
      byNamespace.set(namespace, objects);
    }
    return objects;
  }

  #listOf(served: ServedResource, namespace: string): readonly T[] {
    // What is damaged says nothing to anybody.
    const entries = served.storage.cache.snapshot().wholeEntries(served.storage.prefixOf(namespace));
    return Array.from(entries, (entry) => this.#valueOf(served, entry));
  }

  *each(namespace: string): Iterable<() => T> {
    const served = this.#served;
    if (served !== undefined) {
      for (const entry of served.storage.cache.snapshot().wholeEntries(served.storage.prefixOf(namespace))) {
        yield () => this.#compile(served.form.decode(entry));
      }
    }
  }

  async catchUp(signal: AbortSignal): Promise<void> {
    await this.#served?.storage.catchUp({ signal });
  }

  get #served(): ServedResource | undefined {
    return storedResource(this.#liveRegistry, this.#resource);
  }

  #valueOf(served: ServedResource, entry: CacheEntry): T {
    let known = this.#compiled.get(entry);
    if (known === undefined) {
      known = { value: this.#compile(served.form.decode(entry)) };
      this.#compiled.set(entry, known);
    }
    return known.value;
  }
}

class CachedReader implements ObjectReader {
  readonly #liveRegistry: RegistrySource;
  readonly #resource: GroupVersionResource;
  /** Objects that have been read, of the form that they were read in. */
  #known: { readonly served: ServedResource; readonly objects: WeakMap<CacheEntry, JsonObject> } | undefined;

  constructor(liveRegistry: RegistrySource, resource: GroupVersionResource) {
    this.#liveRegistry = liveRegistry;
    this.#resource = resource;
  }

  get(namespace: string, name: string, context: StepContext): MaybePromise<JsonObject | undefined> {
    return this.#read(
      context,
      ({ storage }) => {
        const entry = storage.cache.get(storage.keyOf(namespace, name));
        return entry === undefined ? [] : [entry];
      },
      ([object]) => object,
    );
  }

  list(namespace: string, context: StepContext): MaybePromise<readonly JsonObject[]> {
    return this.#read(
      context,
      ({ storage }) => [...storage.cache.snapshot().wholeEntries(storage.prefixOf(namespace))],
      (objects) => objects,
    );
  }

  #read<R>(
    context: StepContext,
    select: (served: ServedResource) => readonly CacheEntry[],
    result: (objects: readonly JsonObject[]) => R,
  ): MaybePromise<R> {
    const { group, version, resource } = this.#resource;
    const served = this.#liveRegistry.current.find(group, version, resource);
    if (served?.isStored !== true) {
      return result([]);
    }
    if (!served.storage.cache.isReady) {
      return served.storage.cache.ready().then(() => this.#read(context, select, result));
    }
    const entries = select(served);
    const { form } = served;
    const read = (): R => result(entries.map((entry) => this.#objectOf(served, entry)));
    const preparing = form.prepare(entries, context);
    return preparing === undefined ? read() : preparing.then(read);
  }

  #objectOf(served: ServedResource, entry: CacheEntry): JsonObject {
    if (this.#known?.served !== served) {
      this.#known = { served, objects: new WeakMap() };
    }
    let object = this.#known.objects.get(entry);
    if (object === undefined) {
      object = served.form.present(served.form.decode(entry));
      this.#known.objects.set(entry, object);
    }
    return object;
  }
}

function storedResource(liveRegistry: RegistrySource, { group, resource }: GroupResource): ServedResource | undefined {
  const served = liveRegistry.current.findAnyVersion(group, resource);
  return served?.isStored === true ? served : undefined;
}
