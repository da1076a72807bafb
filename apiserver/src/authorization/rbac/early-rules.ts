import { RbacIndex } from "@gatehouse/policies/rbac";
import type { ObjectFollower, ObjectSource } from "../object-source.js";
import { clusterResources, groupResource, namespaceResources, type RbacResource, tellIndex } from "./rbac-resources.js";

/**
 * What is decided by while a server that has just started does not know the roles and bindings of all namespaces yet:
 * those of one are read from the store for each question about it, so that no verdict is older than its question.
 */
export class EarlyRules {
  /** Knows what holds for the cluster, and of namespaces what was read last. */
  readonly index = new RbacIndex();
  /** To be told of what holds for the cluster. */
  readonly followers: ReadonlyMap<RbacResource, ObjectFollower>;
  readonly #source: ObjectSource;
  readonly #running = new Map<string, Promise<unknown>>();
  readonly #next = new Map<string, Promise<RbacIndex>>();
  /** How to make the index forget what was read of a namespace. */
  readonly #forget = new Map<string, () => void>();

  constructor(source: ObjectSource) {
    this.#source = source;
    this.followers = new Map(clusterResources.map((resource) => [resource, tellIndex(this.index, resource)]));
  }

  /** The index when it knows of everything that holds in the namespace. Verdicts are given in the turn in which it resolves. */
  indexFor(namespace: string): RbacIndex | Promise<RbacIndex> {
    return namespace === "" ? this.index : (this.#next.get(namespace) ?? this.#queue(namespace));
  }

  /** What is being read may have been written since: who asks now shares the next reading with all who come meanwhile. */
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
