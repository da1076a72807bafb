import type { ObjectMeta } from "../../objects/object-meta.js";
import type { Controller } from "../controller.js";
import {
  awaitsCollection,
  hasOwnerReferences,
  mayHaveOwners,
  metadataOf,
  ownerReferencesText,
  uidOf,
} from "../entry-metadata.js";
import type { ClientResource, ObjectClient, ObservedEvent, ObservedObject } from "../object-client.js";
import { type ControllerOptions, untilAborted } from "../reconcile.js";
import { WorkQueue } from "../work-queue.js";
import { Collector } from "./collector.js";
import { DependencyGraph, type Dependent, type ObjectLocation, objectId } from "./dependency-graph.js";
import { ownerReferencesOf } from "./owner-reference.js";

/** What the garbage collector needs besides what every controller does. */
export interface GarbageCollectorOptions extends ControllerOptions {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Writes that are under way together share one flush of the store, so that more of them are faster. */
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
  readonly #client: ObjectClient;
  readonly #signal: AbortSignal;
  readonly #onError: (error: unknown) => void;
  readonly #graph = new DependencyGraph();
  readonly #collector: Collector;
  readonly #queue: WorkQueue;
  /** Until every resource has been read, an owner that is not there may just not have been seen yet. */
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
    for (const resource of this.#client.resources()) {
      if (isCollectable(resource) && !this.#signal.aborted) {
        await this.#client.observe(
          resource,
          {
            onList: (objects) => this.#onList(resource, objects),
            onEvent: (event) => this.#onEvent(resource, event),
            onMissed: () => this.#checkAll(),
            onError: this.#onError,
          },
          this.#signal,
        );
      }
    }
    this.#synced = true;
    this.#checkAll();
    await untilAborted(this.#signal);
    await this.#queue.idle();
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
    const ownerIds = owners.map((owner) => this.#ownerId(location, owner));
    const dependent = { ...location, id, owners, ownerIds, text: ownerReferencesText(metadata) };
    this.#collector.wakeOwners(this.#graph.set(dependent));
    if (this.#synced && !this.#areOwnersSolid(dependent)) {
      this.#collector.expectForeignOwners(id);
      this.#queue.add(id);
    }
  }

  #forget(id: string): void {
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

  /** Whether the cache has all the owners, alive: then there is nothing to do, and no need to ask the store. */
  #areOwnersSolid({ namespace, owners }: Dependent): boolean {
    return owners.every((owner) => {
      const resource = this.#client.findKind(owner.apiVersion, owner.kind);
      const entry = resource && this.#client.cached(resource, resource.namespaced ? namespace : "", owner.name);
      return entry !== undefined && uidOf(entry) === owner.uid && !awaitsCollection(entry);
    });
  }
}

/** Events come by the thousand, name no owners and expire by themselves. */
function isCollectable(resource: ClientResource): boolean {
  const isEvents = resource.resource === "events" && (resource.group === "" || resource.group === "events.k8s.io");
  return resource.verbs.includes("delete") && !isEvents;
}
