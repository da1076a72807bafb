import { RbacIndex } from "@gatehouse/policies/rbac";
import type { ObjectFollower, ObjectSource } from "../object-source.js";
import { clusterResources, groupResource, namespaceResources, type RbacResource, tellIndex } from "./rbac-resources.js";

/**
 * The rules of a server that has just started and does not know the roles and bindings of all namespaces yet: those of
 * one are read from the store for each question about it, so that no decision is older than its question.
 */
export class EarlyRules {
  /** The index of the cluster-wide rules, and of the last reading of each namespace. */
  readonly index = new RbacIndex();
  /** Followers through which the index learns the cluster-wide rules. */
  readonly followers: ReadonlyMap<RbacResource, ObjectFollower>;
  readonly #source: ObjectSource;
  readonly #running = new Map<string, Promise<unknown>>();
  readonly #next = new Map<string, Promise<RbacIndex>>();
  /** Functions by namespace that remove its last reading from the index. */
  readonly #forget = new Map<string, () => void>();

  constructor(source: ObjectSource) {
    this.#source = source;
    this.followers = new Map(clusterResources.map((resource) => [resource, tellIndex(this.index, resource)]));
  }

  /**
   * Returns the index once it has all rules of the namespace. Decisions must be made in the turn in which it resolves.
   */
  indexFor(namespace: string): RbacIndex | Promise<RbacIndex> {
    return namespace === "" ? this.index : (this.#next.get(namespace) ?? this.#queue(namespace));
  }

  /**
   * Queues a reading of the namespace, shared by all callers that come before it starts: the running one may be out of
   * date.
   */
  #queue(namespace: string): Promise<RbacIndex> {
    const before = this.#running.get(namespace) ?? Promise.resolve();
    const reading = before.then(() => {
      this.#next.delete(namespace);
      this.#running.set(
        namespace,
        reading.catch(() => {}),
      );
      return this.#read(namespace);
    });
    this.#next.set(namespace, reading);
    return reading;
  }

  async #read(namespace: string): Promise<RbacIndex> {
    const read = await Promise.all(
      namespaceResources.map(async (resource) => ({
        follower: tellIndex(this.index, resource),
        objects: await this.#source.read(groupResource(resource), namespace),
      })),
    );
    this.#forget.get(namespace)?.();
    for (const { follower, objects } of read) {
      for (const { name, object } of objects) {
        follower.present(namespace, name, object);
      }
    }
    this.#forget.set(namespace, () => {
      for (const { follower, objects } of read) {
        for (const { name } of objects) {
          follower.gone(namespace, name);
        }
      }
    });
    return this.index;
  }
}
