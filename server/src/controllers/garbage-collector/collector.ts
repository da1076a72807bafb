import { forEachLimited, isNotFound, type WorkResult } from "@gatehouse/apiserver/client";
import { metaOf, type ObjectMeta } from "@gatehouse/apiserver/objects";
import { foregroundFinalizer, orphanFinalizer, type PropagationPolicy } from "@gatehouse/apiserver/verbs";
import { isJsonObject, type JsonObject, listAt, textAt } from "@gatehouse/envelopes/json";
import type { AggregatedClient } from "../../aggregation/aggregated-object-client.js";
import { classifyOwners } from "./classify-owners.js";
import type { DependencyGraph, Dependent, ObjectLocation } from "./dependency-graph.js";
import { reportForeignOwners } from "./foreign-owner.js";
import { type OwnerReference, ownerReferencesOf } from "./owner-reference.js";

/** The dependencies of a collector. */
export interface CollectorOptions {
  readonly client: AggregatedClient;
  readonly graph: DependencyGraph;
  /** Returns the time in milliseconds since the epoch. */
  readonly now: () => number;
  /** Requests work on an object, by its identity. */
  readonly enqueue: (id: string) => void;
}

/** An owner that is being deleted and waits for the handling of its dependents. */
interface WaitingOwner extends ObjectLocation {
  readonly uid: string;
  readonly foreground: boolean;
}

const orphansAtATime = 20;

/** Decides about one object at a time, from what the store says now, and acts on it. */
export class Collector {
  readonly #client: AggregatedClient;
  readonly #graph: DependencyGraph;
  readonly #now: () => number;
  readonly #enqueue: (id: string) => void;
  readonly #waiting = new Map<string, WaitingOwner>();
  /** Identities of the waiting owners by their uids. */
  readonly #waitingIds = new Map<string, string>();
  /** Objects whose owner may be in another namespace; searched once, since it is costly. */
  readonly #suspects = new Set<string>();

  constructor(options: CollectorOptions) {
    this.#client = options.client;
    this.#graph = options.graph;
    this.#now = options.now;
    this.#enqueue = options.enqueue;
  }

  /** Handles an owner that is being deleted and may wait for its dependents. */
  ownerWaits(id: string, location: ObjectLocation, metadata: ObjectMeta): void {
    const finalizers = metadata.finalizers ?? [];
    const foreground = finalizers.includes(foregroundFinalizer);
    if (metadata.deletionTimestamp === undefined || !(foreground || finalizers.includes(orphanFinalizer))) {
      this.#waitsNoMore(id);
      return;
    }
    const before = this.#waiting.get(id);
    const uid = metadata.uid ?? "";
    this.#waiting.set(id, { ...location, uid, foreground });
    this.#waitingIds.set(uid, id);
    this.#enqueue(id);
    if (foreground && before?.foreground !== true) {
      for (const dependent of this.#graph.dependentsOfUid(uid)) {
        this.#enqueue(dependent.id);
      }
    }
  }

  ownerGone(id: string): void {
    this.#waitsNoMore(id);
    this.#suspects.delete(id);
  }

  expectForeignOwners(id: string): void {
    this.#suspects.add(id);
  }

  /** Queues waiting owners after a dependent is gone or has dropped its references to them. */
  wakeOwners(dependent: Dependent | undefined): void {
    for (const { uid } of dependent?.owners ?? []) {
      const id = this.#waitingIds.get(uid);
      if (id !== undefined) {
        this.#enqueue(id);
      }
    }
  }

  async work(id: string): Promise<WorkResult> {
    const owner = this.#waiting.get(id);
    if (owner !== undefined) {
      await this.#workOnOwner(id, owner);
      return undefined;
    }
    const dependent = this.#graph.get(id);
    return dependent === undefined ? undefined : this.#workOnDependent(dependent);
  }

  async #workOnOwner(id: string, owner: WaitingOwner): Promise<void> {
    // The dependents that were acknowledged before the owner was deleted must all be known.
    await this.#client.catchUp();
    const current = await this.#client.get(owner.resource, owner.namespace, owner.name);
    const meta = current === undefined ? undefined : metaOf(current);
    if (meta === undefined || meta.uid !== owner.uid) {
      this.#waitsNoMore(id);
      return;
    }
    if (meta.finalizers?.includes(orphanFinalizer) === true) {
      await this.#orphanDependents(owner);
      await this.#removeFinalizer(owner, orphanFinalizer);
    } else if (meta.finalizers?.includes(foregroundFinalizer) === true) {
      const blocking = [...this.#graph.dependentsOfUid(owner.uid)].filter((dependent) => blocks(dependent, owner.uid));
      if (blocking.length === 0) {
        await this.#removeFinalizer(owner, foregroundFinalizer);
      }
      for (const dependent of blocking) {
        if (this.#waiting.get(dependent.id)?.foreground !== true) {
          this.#enqueue(dependent.id);
        }
      }
    }
  }

  #waitsNoMore(id: string): void {
    const owner = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (owner !== undefined && this.#waitingIds.get(owner.uid) === id) {
      this.#waitingIds.delete(owner.uid);
    }
  }

  async #orphanDependents({ uid }: WaitingOwner): Promise<void> {
    const dependents = [...this.#graph.dependentsOfUid(uid)];
    const errors = await forEachLimited(dependents, orphansAtATime, (dependent) =>
      this.#update(dependent, (object) => withoutOwners(object, new Set([uid]))),
    );
    if (errors.length > 0) {
      throw errors[0];
    }
  }

  async #workOnDependent(dependent: Dependent): Promise<WorkResult> {
    const { resource, namespace, name, id } = dependent;
    const object = await this.#client.get(resource, namespace, name);
    if (object === undefined) {
      this.wakeOwners(this.#graph.remove(id));
      return undefined;
    }
    const meta = metaOf(object);
    const references = ownerReferencesOf(meta);
    if (meta.deletionTimestamp !== undefined || references.length === 0) {
      return undefined;
    }
    const owners = await classifyOwners(this.#client, namespace, references);
    if (owners === "unknown") {
      return "retry";
    }
    const missing = owners === "misplaced" ? references : owners.dangling;
    if (this.#suspects.delete(id) && missing.length > 0) {
      await reportForeignOwners({ client: this.#client, now: this.#now }, dependent, meta.uid, missing);
    }
    if (owners === "misplaced") {
      return undefined;
    }
    const { solid, dangling, waiting } = owners;
    if (solid.length > 0) {
      await this.#letGo(dependent, [...dangling, ...waiting]);
    } else if (waiting.length > 0 && this.#graph.dependentsOfUid(meta.uid ?? "").size > 0) {
      await this.#deleteInForeground(dependent, meta);
    } else {
      await this.#delete(dependent, meta, policyOf(meta));
    }
    return undefined;
  }

  /**
   * Removes the references to owners that are gone, or wait for nothing but their dependents, while another one still
   * exists.
   */
  async #letGo(dependent: Dependent, references: readonly OwnerReference[]): Promise<void> {
    if (references.length > 0) {
      const uids = new Set(references.map(({ uid }) => uid));
      await this.#update(dependent, (object) => withoutOwners(object, uids));
    }
  }

  /**
   * Deletes a dependent that has dependents itself. In a circle all would wait for each other: then it blocks no owner.
   */
  async #deleteInForeground(dependent: Dependent, meta: ObjectMeta): Promise<void> {
    const circle = [...this.#graph.dependentsOfUid(meta.uid ?? "")].some(
      ({ id }) => this.#waiting.get(id)?.foreground === true,
    );
    if (circle) {
      await this.#update(dependent, blockingNobody);
      await this.#delete(dependent, { uid: meta.uid as string }, "Foreground");
      return;
    }
    await this.#delete(dependent, meta, "Foreground");
  }

  /** Deletes the version that was looked at: an object that gets an owner meanwhile stays. */
  #delete(dependent: ObjectLocation, meta: ObjectMeta, propagationPolicy: PropagationPolicy): Promise<void> {
    const { uid, resourceVersion } = meta;
    return this.#client.delete(dependent.resource, dependent.namespace, dependent.name, {
      preconditions: {
        ...(uid === undefined ? {} : { uid }),
        ...(resourceVersion === undefined ? {} : { resourceVersion }),
      },
      propagationPolicy,
    });
  }

  #removeFinalizer(owner: WaitingOwner, finalizer: string): Promise<void> {
    return this.#update(owner, (object) => {
      const meta = metaOf(object);
      if (meta.uid !== owner.uid || meta.finalizers?.includes(finalizer) !== true) {
        return undefined;
      }
      meta.finalizers = meta.finalizers.filter((other) => other !== finalizer);
      return object;
    });
  }

  async #update(target: ObjectLocation, revise: (object: JsonObject) => JsonObject | undefined): Promise<void> {
    const { resource, namespace, name } = target;
    try {
      await this.#client.update(resource, { namespace, name }, revise);
    } catch (error) {
      if (!isNotFound(error)) {
        throw error;
      }
    }
  }
}

function blocks({ owners }: Dependent, ownerUid: string): boolean {
  return owners.some(({ uid, blockOwnerDeletion }) => uid === ownerUid && blockOwnerDeletion);
}

function policyOf({ finalizers = [] }: ObjectMeta): PropagationPolicy {
  if (finalizers.includes(orphanFinalizer)) {
    return "Orphan";
  }
  return finalizers.includes(foregroundFinalizer) ? "Foreground" : "Background";
}

function withoutOwners(object: JsonObject, uids: ReadonlySet<string>): JsonObject | undefined {
  const meta = metaOf(object);
  const references = listAt(meta, "ownerReferences");
  const kept = references.filter((reference) => !uids.has(textAt(reference, "uid")));
  if (kept.length === references.length) {
    return undefined;
  }
  meta["ownerReferences"] = kept;
  return object;
}

function blockingNobody(object: JsonObject): JsonObject {
  for (const reference of listAt(object, "metadata", "ownerReferences")) {
    if (isJsonObject(reference)) {
      reference["blockOwnerDeletion"] = false;
    }
  }
  return object;
}
