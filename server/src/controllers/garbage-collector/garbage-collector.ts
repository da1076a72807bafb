import {
  awaitsCollection,
  type ClientResource,
  type Controller,
  type ControllerOptions,
  hasOwnerReferences,
  mayConcernCollector,
  mayHaveOwners,
  metadataOf,
  type ObservedEvent,
  type ObservedObject,
  ownerReferencesText,
  uidOf,
  untilAborted,
  WorkQueue,
} from "@gatehouse/apiserver/client";
import type { ObjectMeta } from "@gatehouse/apiserver/objects";
import type { AggregatedClient } from "../../aggregation/aggregated-object-client.js";
import { Collector } from "./collector.js";
import { DependencyGraph, type Dependent, type ObjectLocation, objectId } from "./dependency-graph.js";
import { ownerReferencesOf } from "./owner-reference.js";

/** The options of the garbage collector. */
export interface GarbageCollectorOptions extends Omit<ControllerOptions, "client"> {
  readonly client: AggregatedClient;
  /** Returns the time in milliseconds since the epoch. */
  readonly now: () => number;
}

/** Number of writes under way together, which share one flush of the store. */
const concurrency = 64;

/**
 * Deletes objects whose owners are all gone; deletes or sets free the dependents of owners that ask for it before they
 * go (`foregroundDeletion`, `orphan`). Follows every deletable resource, but looks into an object only when it names
 * owners or waits for its dependents.
 */
export function garbageCollector(options: GarbageCollectorOptions): Controller {
  return {
    name: "garbage-collector-controller",
    run: (signal) => new GarbageCollector(options, signal).run(),
  };
}

class GarbageCollector {
  readonly #client: AggregatedClient;
  readonly #signal: AbortSignal;
  readonly #onError: (error: unknown) => void;
  readonly #graph = new DependencyGraph();
  readonly #collector: Collector;
  readonly #queue: WorkQueue;
  /** Dependents with owners of kinds that are not served. */
  readonly #unresolved = new Set<string>();
  /** The chain of reads: resources are read one after the other. */
  #reading: Promise<void> = Promise.resolve();
  /** True once every resource has been read. Before, a missing owner may just not have been seen yet. */
  #synced = false;

  constructor(options: GarbageCollectorOptions, signal: AbortSignal) {
    this.#client = options.client;
    this.#signal = signal;
    this.#onError = options.onError;
    const enqueue = (id: string): void => this.#queue.add(id);
    this.#collector = new Collector({ client: options.client, graph: this.#graph, now: options.now, enqueue });
    this.#queue = new WorkQueue({
      ...options,
      signal,
      concurrency,
      work: async (id) => (this.#synced ? this.#collector.work(id) : "retry"),
    });
  }

  async run(): Promise<void> {
    let fail = (_error: unknown): void => {};
    const failed = new Promise<never>((_resolve, reject) => {
      fail = reject;
    });
    this.#client.followResources((resource, served) => {
      if (isCollectable(resource)) {
        this.#reading = this.#reading.then(() => this.#follow(resource, served)).catch(fail);
      }
    }, this.#signal);
    await Promise.race([this.#reading, failed]);
    this.#synced = true;
    this.#checkAll();
    await Promise.race([untilAborted(this.#signal), failed]);
    await this.#queue.idle();
  }

  /** Resolves when all objects of the resource are known. Custom resources come and go while this runs. */
  async #follow(resource: ClientResource, served: AbortSignal): Promise<void> {
    if (served.aborted) {
      return;
    }
    const observer = {
      onList: (objects: readonly ObservedObject[]) => this.#onList(resource, objects),
      onEvent: (event: ObservedEvent) => this.#onEvent(resource, event),
      onMissed: () => this.#checkAll(),
      onError: this.#onError,
    };
    served.addEventListener("abort", () => this.#forgetAll(resource), { once: true });
    try {
      await this.#client.observe(resource, observer, served);
    } catch (error) {
      if (!served.aborted) {
        throw error;
      }
    }
    this.#resolveOwners();
  }

  #onList(resource: ClientResource, objects: readonly ObservedObject[]): void {
    for (const { namespace, name, entry } of objects) {
      this.#see({ resource, namespace, name }, entry);
    }
  }

  #onEvent(resource: ClientResource, event: ObservedEvent): void {
    const { type, namespace, name, entry, previous } = event;
    const location = { resource, namespace, name };
    if (type === "DELETED") {
      this.#forget(objectId(location));
      return;
    }
    if (previous !== undefined && uidOf(previous) !== uidOf(entry)) {
      // Gone and come again, while the cache did not look.
      this.#forget(objectId(location));
    }
    this.#see(location, entry);
  }

  #see(location: ObjectLocation, entry: ObservedObject["entry"]): void {
    const id = objectId(location);
    const known = this.#graph.get(id);
    if (known === undefined && !mayConcernCollector(entry)) {
      return;
    }
    const waits = awaitsCollection(entry);
    const sameOwners = known === undefined ? !mayHaveOwners(entry) : hasOwnerReferences(entry, known.text);
    if (sameOwners && !waits) {
      return;
    }
    const metadata = metadataOf(entry);
    if (!sameOwners) {
      this.#setOwners(id, location, metadata);
    }
    if (waits) {
      this.#collector.ownerWaits(id, location, metadata);
    }
  }

  #setOwners(id: string, location: ObjectLocation, metadata: ObjectMeta): void {
    const owners = ownerReferencesOf(metadata);
    if (owners.length === 0) {
      this.#collector.wakeOwners(this.#graph.remove(id));
      return;
    }
    this.#setDependent({ ...location, id, owners, text: ownerReferencesText(metadata) });
  }

  #setDependent(known: Omit<Dependent, "ownerIds">): void {
    const { id, owners } = known;
    const ownerIds = owners.map((owner) => this.#ownerId(known, owner));
    const dependent = { ...known, ownerIds };
    if (ownerIds.includes(undefined)) {
      this.#unresolved.add(id);
    } else {
      this.#unresolved.delete(id);
    }
    this.#collector.wakeOwners(this.#graph.set(dependent));
    if (this.#synced && !this.#areOwnersSolid(dependent)) {
      this.#collector.expectForeignOwners(id);
      this.#queue.add(id);
    }
  }

  /** Looks again for owners of kinds that were not served, after another one has come. */
  #resolveOwners(): void {
    for (const id of this.#unresolved) {
      const dependent = this.#graph.get(id);
      if (dependent === undefined) {
        this.#unresolved.delete(id);
      } else if (dependent.owners.some((owner, index) => this.#isNowServed(dependent, owner, index))) {
        this.#setDependent(dependent);
      }
    }
  }

  #isNowServed(dependent: Dependent, owner: Dependent["owners"][number], index: number): boolean {
    return dependent.ownerIds[index] === undefined && this.#ownerId(dependent, owner) !== undefined;
  }

  /** Removes all objects of a resource that is no longer served. */
  #forgetAll(resource: ClientResource): void {
    if (this.#signal.aborted) {
      return;
    }
    for (const dependent of this.#graph.all()) {
      if (dependent.resource.resource === resource.resource && dependent.resource.group === resource.group) {
        this.#forget(dependent.id);
      }
    }
  }

  #forget(id: string): void {
    this.#unresolved.delete(id);
    this.#collector.ownerGone(id);
    this.#collector.wakeOwners(this.#graph.remove(id));
    for (const dependent of this.#graph.dependentsOf(id)) {
      this.#queue.add(dependent.id);
    }
  }

  #checkAll(): void {
    if (!this.#synced) {
      return;
    }
    for (const dependent of this.#graph.all()) {
      if (!this.#areOwnersSolid(dependent)) {
        this.#queue.add(dependent.id);
      }
    }
  }

  #ownerId(
    { namespace }: ObjectLocation,
    owner: { readonly apiVersion: string; readonly kind: string; readonly name: string },
  ): string | undefined {
    const resource = this.#client.findKind(owner.apiVersion, owner.kind);
    return resource === undefined
      ? undefined
      : objectId({ resource, namespace: resource.namespaced ? namespace : "", name: owner.name });
  }

  /** Reports whether the cache holds all owners, not being deleted: then the store need not be asked. */
  #areOwnersSolid({ namespace, owners }: Dependent): boolean {
    return owners.every((owner) => {
      const resource = this.#client.findKind(owner.apiVersion, owner.kind);
      const entry = resource && this.#client.cached(resource, resource.namespaced ? namespace : "", owner.name);
      return entry !== undefined && uidOf(entry) === owner.uid && !awaitsCollection(entry);
    });
  }
}

/**
 * Reports whether the resource is collected. Events are not: they are many, name no owners and expire by themselves.
 */
function isCollectable(resource: ClientResource): boolean {
  const isEvents = resource.resource === "events" && (resource.group === "" || resource.group === "events.k8s.io");
  return resource.verbs.includes("delete") && !isEvents;
}
