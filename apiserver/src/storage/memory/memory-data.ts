import { RevisionCompactedError, RevisionInFutureError } from "../../errors/errors.js";
import type { KeyValue, StoreEvent, WriteResult } from "../store.js";
import { newValueTree, type StoreImage, type ValueTree } from "./store-image.js";

/** The condition, and the content, of one write. */
export interface MemoryPut {
  readonly key: string;
  readonly value: Buffer;
  readonly expectedRevision: number;
  readonly expiresAtMs: number | undefined;
}

/**
 * The data of a store in memory: the live keys, and the changes since the last compaction. It begins as a clone of an
 * image, which costs nothing until something is written.
 */
export class MemoryData {
  #tree: ValueTree;
  #revision: number;
  #compactRevision: number;
  /** The change of each revision after `#compactRevision`, in order. */
  #changes: StoreEvent[] = [];
  readonly #expiring = new Map<string, number>();
  /** Called with each change, before its writer has an answer, and with undefined when all changes are forgotten. */
  readonly followers = new Set<(event: StoreEvent | undefined) => void>();

  constructor(image?: StoreImage) {
    this.#tree = image?.tree.clone() ?? newValueTree();
    this.#revision = image?.revision ?? 1;
    this.#compactRevision = this.#revision;
    this.#learnExpiries();
  }

  get revision(): number {
    return this.#revision;
  }

  /** The oldest revision that can be read. */
  get compactRevision(): number {
    return this.#compactRevision;
  }

  get hasExpiringKeys(): boolean {
    return this.#expiring.size > 0;
  }

  /** Returns the keys and values of now, for others to begin with. */
  image(): StoreImage {
    return { revision: this.#revision, tree: this.#tree.clone() };
  }

  /** Returns the version of a key at a revision. Throws RevisionCompactedError and RevisionInFutureError. */
  get(key: string, revision: number): KeyValue | undefined {
    this.checkRevision(revision);
    const change = this.#changesAfter(revision).find((event) => event.key === key);
    return change === undefined ? this.#tree.get(key) : change.previous;
  }

  /** Returns the live keys at a revision; nobody writes to the tree. */
  treeAt(revision: number): ValueTree {
    this.checkRevision(revision);
    if (revision === this.#revision) {
      return this.#tree;
    }
    const tree = this.#tree.clone();
    for (const { key, previous } of this.#changesAfter(revision).reverse()) {
      if (previous === undefined) {
        tree.delete(key);
      } else {
        tree.set(key, previous);
      }
    }
    return tree;
  }

  /** Returns at most `max` changes after a revision. Throws RevisionCompactedError. */
  changesAfter(revision: number, max: number): readonly StoreEvent[] {
    if (revision < this.#compactRevision) {
      throw new RevisionCompactedError(this.#compactRevision);
    }
    const from = revision - this.#compactRevision;
    return this.#changes.slice(from, from + max);
  }

  put({ key, value, expectedRevision, expiresAtMs }: MemoryPut): WriteResult {
    const previous = this.#tree.get(key);
    if ((previous?.modRevision ?? 0) !== expectedRevision) {
      return { succeeded: false, current: previous };
    }
    const revision = this.#revision + 1;
    const createRevision = previous?.createRevision ?? revision;
    const expiry = expiresAtMs === undefined ? {} : { expiresAtMs };
    this.#tree.set(key, { key, value, createRevision, modRevision: revision, ...expiry });
    this.#expiring.delete(key);
    if (expiresAtMs !== undefined) {
      this.#expiring.set(key, expiresAtMs);
    }
    this.#record({ type: "put", key, revision, createRevision, value, previous, ...expiry });
    return { succeeded: true, revision };
  }

  delete(key: string, expectedRevision: number): WriteResult {
    const previous = this.#tree.get(key);
    if (previous === undefined || previous.modRevision !== expectedRevision) {
      return { succeeded: false, current: previous };
    }
    this.#tree.delete(key);
    this.#expiring.delete(key);
    const revision = this.#revision + 1;
    this.#record({ type: "delete", key, revision, previous });
    return { succeeded: true, revision };
  }

  /** Returns the keys whose time is over. */
  expiredKeys(nowMs: number): readonly KeyValue[] {
    return [...this.#expiring]
      .filter(([, expiresAtMs]) => expiresAtMs <= nowMs)
      .map(([key]) => this.#tree.get(key))
      .filter((kv) => kv !== undefined);
  }

  /** Deletes the keys whose time is over. */
  expire(nowMs: number): void {
    for (const { key, modRevision } of this.expiredKeys(nowMs)) {
      this.delete(key, modRevision);
    }
  }

  /** Goes on with an image of a later revision, between which and now changes are unknown: watches end as compacted. */
  restart(image: StoreImage): void {
    this.#tree = image.tree.clone();
    this.#revision = image.revision;
    this.#compactRevision = image.revision;
    this.#changes = [];
    this.#expiring.clear();
    this.#learnExpiries();
    for (const follow of this.followers) {
      follow(undefined);
    }
  }

  compact(revision: number): void {
    if (revision > this.#revision) {
      throw new RevisionInFutureError(this.#revision);
    }
    if (revision > this.#compactRevision) {
      this.#changes = this.#changes.slice(revision - this.#compactRevision);
      this.#compactRevision = revision;
    }
  }

  /** Throws RevisionCompactedError and RevisionInFutureError. */
  checkRevision(revision: number): void {
    if (revision > this.#revision) {
      throw new RevisionInFutureError(this.#revision);
    }
    if (revision < this.#compactRevision) {
      throw new RevisionCompactedError(this.#compactRevision);
    }
  }

  #learnExpiries(): void {
    for (const { key, expiresAtMs } of this.#tree.values()) {
      if (expiresAtMs !== undefined) {
        this.#expiring.set(key, expiresAtMs);
      }
    }
  }

  #changesAfter(revision: number): StoreEvent[] {
    return this.#changes.slice(revision - this.#compactRevision);
  }

  #record(event: StoreEvent): void {
    this.#revision = event.revision;
    this.#changes.push(event);
    for (const follow of this.followers) {
      follow(event);
    }
  }
}
