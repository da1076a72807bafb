import { setImmediate } from "node:timers/promises";
import {
  type ClientResource,
  followWhilePresent,
  ignoreNotFound,
  isLostRace,
  isNotFound,
  type ObjectClient,
  type ObjectObserver,
  type ObservedObject,
  type WantedResource,
} from "@gatehouse/apiserver/client";
import { metaOf } from "@gatehouse/apiserver/objects";
import type { Verb } from "@gatehouse/apiserver/registry";
import type { CacheEntry } from "@gatehouse/apiserver/storage";
import { isSameJson, type JsonObject } from "@gatehouse/envelopes/json";
import { groupVersionOf } from "@gatehouse/envelopes/schema";
import type { GroupResource } from "@gatehouse/envelopes/status";
import { observed, RemoteCollection } from "./remote-collection.js";
import type { RemoteDiscovery } from "./remote-discovery.js";
import { areAllAsked, type RemoteKindsSource, remoteResourceOfKind, remoteResources } from "./remote-kinds.js";
import type { RemoteRequests, RemoteResource } from "./remote-requests.js";

/** The part of an ObjectClient that controllers need which know no difference between this server's objects and others'. */
export interface AggregatedClient
  extends Pick<
    ObjectClient,
    | "followResources"
    | "find"
    | "findKind"
    | "findPreferred"
    | "get"
    | "cached"
    | "list"
    | "create"
    | "update"
    | "delete"
    | "observe"
    | "catchUp"
  > {
  /** Resolves to the number of objects in a namespace; undefined while those of another server are not known. */
  count(resource: WantedResource, namespace: string): Promise<number | undefined>;
}

/** Dependencies of AggregatedObjectClient. */
export interface AggregatedObjectClientOptions extends RemoteKindsSource {
  /** The client of the objects of this server. */
  readonly local: ObjectClient;
  readonly discovery: Pick<RemoteDiscovery, "of" | "onChange">;
  readonly requests: RemoteRequests;
  /** The verbs that a resource of another server must have to be followed. */
  readonly verbs: readonly Verb[];
  readonly signal: AbortSignal;
}

const maxAttempts = 5;

/**
 * The objects of this server and those of the servers behind APIServices, of which only the metadata is read and
 * written. An object of another server counts as missing only when an available server says so with a Status.
 */
export class AggregatedObjectClient implements AggregatedClient {
  readonly #options: AggregatedObjectClientOptions;
  readonly #collections = new Map<string, RemoteCollection>();
  /** The remote resources that are followed; each is observed a little later. */
  #followed: ReadonlyMap<string, AbortController> = new Map();

  constructor(options: AggregatedObjectClientOptions) {
    this.#options = options;
  }

  /** Follows remote resources that have the verbs; those of a server that is away stay. */
  followResources(begin: (resource: ClientResource, served: AbortSignal) => void, signal: AbortSignal): void {
    const { local, discovery } = this.#options;
    local.followResources(begin, signal);
    this.#followed = followWhilePresent(
      {
        current: () => new Map(this.#remoteResources().map((found) => [collectionKey(found), found])),
        onChange: (listener) => discovery.onChange(listener),
      },
      begin,
      signal,
    );
  }

  find(resource: WantedResource): ClientResource | undefined {
    const { group, version = "" } = resource;
    if (this.#options.table.remote(`${version}.${group}`) === undefined) {
      const local = this.#options.local.find(resource);
      if (local !== undefined) {
        return local;
      }
    }
    return this.#remoteResources().find(
      (found) =>
        found.group === group && found.resource === resource.resource && (version === "" || found.version === version),
    );
  }

  findKind(apiVersion: string, kind: string): ClientResource | undefined {
    const { group, version } = groupVersionOf(apiVersion);
    const apiService = this.#options.table.remote(`${version}.${group}`);
    return apiService === undefined
      ? this.#options.local.findKind(apiVersion, kind)
      : remoteResourceOfKind(this.#options, apiService, kind);
  }

  findPreferred(resource: GroupResource): ClientResource | undefined {
    return this.#options.local.findPreferred(resource) ?? this.find(resource);
  }

  async get(resource: WantedResource, namespace: string, name: string): Promise<JsonObject | undefined> {
    const remote = this.#remote(resource);
    if (remote === undefined) {
      return await this.#options.local.get(resource, namespace, name);
    }
    try {
      return await this.#options.requests.get(remote, namespace, name, this.#options.signal);
    } catch (error) {
      if (isNotFound(error)) {
        return undefined;
      }
      throw error;
    }
  }

  cached(resource: WantedResource, namespace: string, name: string): CacheEntry | undefined {
    const remote = this.#remote(resource);
    return remote === undefined
      ? this.#options.local.cached(resource, namespace, name)
      : this.#collections.get(collectionKey(remote))?.get(namespace, name);
  }

  async list(resource: WantedResource, namespace: string): Promise<readonly ObservedObject[]> {
    const remote = this.#remote(resource);
    if (remote === undefined) {
      return await this.#options.local.list(resource, namespace);
    }
    const { items } = await this.#options.requests.list(remote, namespace, this.#options.signal);
    return items.map(observed);
  }

  async count(resource: WantedResource, namespace: string): Promise<number | undefined> {
    const remote = this.#remote(resource);
    return remote === undefined
      ? await this.#options.local.count(resource, namespace)
      : this.#collections.get(collectionKey(remote))?.count(namespace);
  }

  /** Creates an object of this server: garbage collection makes Events alone. */
  create(resource: WantedResource, object: JsonObject): Promise<JsonObject> {
    return this.#options.local.create(resource, object);
  }

  /** Changes an object; of a remote one, the finalizers and owner references that `revise` leaves are written. */
  async update(
    resource: WantedResource,
    target: { readonly namespace: string; readonly name: string },
    revise: (object: JsonObject) => JsonObject | undefined,
  ): Promise<void> {
    const remote = this.#remote(resource);
    if (remote === undefined) {
      await this.#options.local.update(resource, target, revise);
      return;
    }
    const { requests, signal } = this.#options;
    for (let attempt = 1; ; attempt++) {
      const object = await requests.get(remote, target.namespace, target.name, signal);
      const revised = revise(structuredClone(object));
      if (revised === undefined) {
        return;
      }
      try {
        await requests.patch(remote, target, patchOf(object, revised), signal);
        return;
      } catch (error) {
        if (attempt === maxAttempts || !isLostRace(error)) {
          throw error;
        }
      }
    }
  }

  async delete(
    resource: WantedResource,
    namespace: string,
    name: string,
    options: Parameters<ObjectClient["delete"]>[3] = {},
  ): Promise<void> {
    const remote = this.#remote(resource);
    if (remote === undefined) {
      await this.#options.local.delete(resource, namespace, name, options);
      return;
    }
    await this.#options.requests
      .delete(remote, { namespace, name }, { ...options }, this.#options.signal)
      .catch(ignoreNotFound);
  }

  /**
   * Observes the objects of a resource. For a remote one it resolves at once: a server that is away holds up nothing, and
   * the observer is told when it comes.
   */
  async observe(resource: WantedResource, observer: ObjectObserver, signal: AbortSignal): Promise<void> {
    const remote = this.#remote(resource);
    if (remote === undefined) {
      await this.#options.local.observe(resource, observer, signal);
      return;
    }
    const key = collectionKey(remote);
    const { requests } = this.#options;
    const collection = new RemoteCollection({ requests, resource: remote, observer, signal });
    this.#collections.set(key, collection);
    const forget = (): void => {
      if (this.#collections.get(key) === collection) {
        this.#collections.delete(key);
      }
    };
    signal.addEventListener("abort", forget, { once: true });
  }

  /** Resolves when observers know of what is committed now, on remote servers as far as they answer. */
  async catchUp(): Promise<void> {
    const { local, discovery, signal } = this.#options;
    await local.catchUp();
    while (!areAllAsked(this.#options) && !signal.aborted) {
      await nextChange(discovery, signal);
    }
    // Observation begins in the same turn of the event loop as a resource is found.
    await setImmediate();
    for (const key of this.#followed.keys()) {
      if (!this.#collections.has(key)) {
        throw new Error(`${key} is not observed yet`);
      }
    }
    await Promise.all([...this.#collections.values()].map((collection) => collection.refresh()));
  }

  #remoteResources(): readonly ClientResource[] {
    return remoteResources(this.#options, ({ verbs }) => this.#options.verbs.every((verb) => verbs.includes(verb)));
  }

  /** Returns the resource if another server serves it. Resources of other servers always name their version. */
  #remote({ group, version, resource }: WantedResource): RemoteResource | undefined {
    const isRemote = version !== undefined && this.#options.table.remote(`${version}.${group}`) !== undefined;
    return isRemote ? { group, version, resource } : undefined;
  }
}

function collectionKey({ group, version, resource }: RemoteResource): string {
  return `${group}/${version}/${resource}`;
}

/** Returns a merge patch of the changed finalizers and owner references, for the version that was read. */
function patchOf(before: JsonObject, after: JsonObject): JsonObject {
  const [old, revised] = [metaOf(before), metaOf(after)];
  const metadata: JsonObject = { uid: old.uid ?? "", resourceVersion: old.resourceVersion ?? "" };
  for (const member of ["finalizers", "ownerReferences"]) {
    const [was, is] = [old[member] ?? [], revised[member] ?? []];
    if (!isSameJson(was, is)) {
      metadata[member] = is;
    }
  }
  return { metadata };
}

/** Resolves with the next change of discovery, or when the signal aborts. */
async function nextChange(discovery: Pick<RemoteDiscovery, "onChange">, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const end = (): void => {
      listening[Symbol.dispose]();
      signal.removeEventListener("abort", end);
      resolve();
    };
    const listening = discovery.onChange(end);
    signal.addEventListener("abort", end, { once: true });
  });
}
