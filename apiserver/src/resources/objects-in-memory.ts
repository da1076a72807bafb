import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { tooOldResourceVersion } from "@gatehouse/envelopes/status";
import type { ComputedBookmark } from "../verbs/reading/computed.js";
import type { ComputedResource, ComputedWatchRequest, ObjectEvent } from "./define-computed-resource.js";

/** An object with the metadata by which it is found. */
export interface NamedObject {
  readonly metadata: {
    readonly name: string;
    /** Absent for objects that are in no namespace. */
    readonly namespace?: string;
  };
}

/** The history of `ObjectsInMemory`, and its clock. */
export interface ObjectsInMemoryOptions {
  /** The number of changes that watches can go on after; 10,000 when absent. */
  readonly keptChanges?: number;
  /** Returns the time in milliseconds since 1970; `Date.now` when absent. */
  readonly now?: () => number;
}

/** The functions of a computed resource. */
type Functions<T extends object> = Required<Pick<ComputedResource<T>, "get" | "list" | "watch">>;

interface Change<T extends NamedObject> extends ObjectEvent<T> {
  readonly revision: number;
}

const revisionsPerMs = 1000;

/**
 * Objects that a program computes ahead and keeps in memory, with the functions of a computed resource: get, list and a
 * watch that goes on after a revision and tells bookmarks. Objects get a uid, the time of their creation and a resource
 * version, which grows from one process to the next as long as the clock does. All are lost with the process.
 *
 * @example
 * ```ts
 * const reports = new ObjectsInMemory<Report>();
 * const resource = defineComputedResource<Report>({
 *   group: "shop.example.com", version: "v1", resource: "reports", kind: "Report", namespaced: true,
 *   ...reports.functions,
 * });
 * reports.set({ metadata: { namespace: "shop", name: "today" }, sold: 3 });
 * ```
 */
export class ObjectsInMemory<T extends NamedObject> {
  /** The functions to declare a computed resource with. */
  readonly functions: Functions<T>;
  readonly #keptChanges: number;
  readonly #now: () => number;
  readonly #objects = new Map<string, T>();
  /** The last changes, oldest first. */
  #changes: Change<T>[] = [];
  /** The revision of the last change that is not kept any more. */
  #forgotten: number;
  #revision: number;
  readonly #waiting = new Set<() => void>();

  /** Creates an empty collection. */
  constructor({ keptChanges = 10_000, now = Date.now }: ObjectsInMemoryOptions = {}) {
    this.#keptChanges = keptChanges;
    this.#now = now;
    // Clients that knew an earlier process list anew: their revisions are older than all of this one.
    this.#revision = now() * revisionsPerMs;
    this.#forgotten = this.#revision;
    this.functions = {
      get: (name, { namespace }) => this.get(namespace, name),
      list: ({ namespace }) => ({ items: this.list(namespace), revision: this.#revision }),
      watch: (request) => this.#watch(request),
    };
  }

  /** The number of objects. */
  get size(): number {
    return this.#objects.size;
  }

  /** Returns an object; undefined when there is none. The namespace is empty for objects that are in none. */
  get(namespace: string, name: string): T | undefined {
    return this.#objects.get(keyOf(namespace, name));
  }

  /** Returns the objects of a namespace, or of all for an empty name, by namespace and name. */
  list(namespace: string): readonly T[] {
    return [...this.#objects]
      .filter(([, { metadata }]) => namespace === "" || metadata.namespace === namespace)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([, object]) => object);
  }

  /** Adds an object, or replaces the one of this name. One that is as it was changes nothing. */
  set(object: T): void {
    const { name, namespace = "" } = object.metadata;
    const key = keyOf(namespace, name);
    const old = this.#objects.get(key);
    const { uid, creationTimestamp, resourceVersion } = (old?.metadata ?? {}) as Readonly<Record<string, unknown>>;
    const metadata = {
      ...object.metadata,
      uid: uid ?? randomUUID(),
      creationTimestamp: creationTimestamp ?? new Date(this.#now()).toISOString().replace(/\.\d+/, ""),
    };
    if (old !== undefined && isDeepStrictEqual({ ...object, metadata: { ...metadata, resourceVersion } }, old)) {
      return;
    }
    const revision = this.#revision + 1;
    const stored = at(revision, { ...object, metadata });
    this.#objects.set(key, stored);
    this.#record(
      old === undefined
        ? { type: "ADDED", revision, object: stored }
        : { type: "MODIFIED", revision, object: stored, previous: at(revision, old) },
    );
  }

  /** Removes an object. Returns false when there was none. */
  delete(namespace: string, name: string): boolean {
    const key = keyOf(namespace, name);
    const old = this.#objects.get(key);
    if (old === undefined) {
      return false;
    }
    this.#objects.delete(key);
    const revision = this.#revision + 1;
    this.#record({ type: "DELETED", revision, object: at(revision, old) });
    return true;
  }

  #record(change: Change<T>): void {
    this.#revision = change.revision;
    this.#changes.push(change);
    // Dropped by halves, so that the list is not moved with every change.
    if (this.#changes.length > this.#keptChanges * 2) {
      const dropped = this.#changes.splice(0, this.#changes.length - this.#keptChanges);
      this.#forgotten = (dropped.at(-1) as Change<T>).revision;
    }
    for (const wake of this.#waiting) {
      wake();
    }
  }

  async *#watch(request: ComputedWatchRequest): AsyncGenerator<ObjectEvent<T> | ComputedBookmark, void, undefined> {
    const { namespace, afterRevision, bookmarkIntervalMs, signal } = request;
    let told = afterRevision ?? this.#revision;
    if (afterRevision === undefined) {
      for (const object of this.list(namespace)) {
        yield { type: "ADDED", object };
      }
    }
    while (!signal.aborted) {
      // A revision of the future is one of another process, of which nothing is known here.
      if (told < this.#forgotten || told > this.#revision) {
        throw tooOldResourceVersion(told, this.#forgotten);
      }
      const next = this.#changes[told - this.#forgotten];
      if (next !== undefined) {
        told = next.revision;
        if (namespace === "" || next.object.metadata.namespace === namespace) {
          yield next;
        }
      } else if ((await this.#changed(signal, bookmarkIntervalMs)) === "quiet") {
        yield { type: "BOOKMARK", revision: told };
      }
    }
  }

  /** Resolves with the next change or the end of the watch, and to `quiet` when there was none for an interval. */
  #changed(signal: AbortSignal, intervalMs: number | undefined): Promise<"over" | "quiet"> {
    return new Promise((resolve) => {
      const end = (outcome: "over" | "quiet"): void => {
        this.#waiting.delete(wake);
        signal.removeEventListener("abort", wake);
        clearTimeout(timer);
        resolve(outcome);
      };
      const wake = (): void => end("over");
      const timer = intervalMs === undefined ? undefined : setTimeout(end, intervalMs, "quiet");
      this.#waiting.add(wake);
      signal.addEventListener("abort", wake);
    });
  }
}

/** Returns an object under a resource version. */
function at<T extends NamedObject>(revision: number, object: T): T {
  return { ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } };
}

function keyOf(namespace: string, name: string): string {
  return `${namespace}/${name}`;
}
