import type { ClientResource } from "@gatehouse/apiserver/client";
import type { OwnerReference } from "./owner-reference.js";

/** The location of an object. */
export interface ObjectLocation {
  readonly resource: ClientResource;
  readonly namespace: string;
  readonly name: string;
}

/** An object that has owners. */
export interface Dependent extends ObjectLocation {
  readonly id: string;
  readonly owners: readonly OwnerReference[];
  /** Identities of the owners, in the order of the references; undefined where the kind is not served. */
  readonly ownerIds: readonly (string | undefined)[];
  /** The owner references as they stand in the bytes of the object. */
  readonly text: Buffer;
}

/** Returns the identity of an object: its location and not its uid, so that deletions are found without parsing. */
export function objectId({ resource, namespace, name }: ObjectLocation): string {
  return `${resource.resource}.${resource.group} ${namespace}/${name}`;
}

const none: ReadonlySet<Dependent> = new Set();

/**
 * The graph of owners and dependents. It holds only objects with owners; owners are known by the references to them.
 */
export class DependencyGraph {
  readonly #dependents = new Map<string, Dependent>();
  readonly #byOwner = new Map<string, Set<Dependent>>();

  get size(): number {
    return this.#dependents.size;
  }

  get(id: string): Dependent | undefined {
    return this.#dependents.get(id);
  }

  all(): IterableIterator<Dependent> {
    return this.#dependents.values();
  }

  /** Returns the objects whose references lead to this location, regardless of the uid. */
  dependentsOf(ownerId: string): ReadonlySet<Dependent> {
    return this.#byOwner.get(ownerId) ?? none;
  }

  /** Adds or replaces a dependent, and returns the replaced one. */
  set(dependent: Dependent): Dependent | undefined {
    const before = this.remove(dependent.id);
    this.#dependents.set(dependent.id, dependent);
    for (const ownerId of dependent.ownerIds) {
      if (ownerId === undefined) {
        continue;
      }
      const siblings = this.#byOwner.get(ownerId);
      if (siblings === undefined) {
        this.#byOwner.set(ownerId, new Set([dependent]));
      } else {
        siblings.add(dependent);
      }
    }
    return before;
  }

  remove(id: string): Dependent | undefined {
    const dependent = this.#dependents.get(id);
    if (dependent === undefined) {
      return undefined;
    }
    this.#dependents.delete(id);
    for (const ownerId of dependent.ownerIds) {
      const siblings = ownerId === undefined ? undefined : this.#byOwner.get(ownerId);
      if (siblings?.delete(dependent) === true && siblings.size === 0) {
        this.#byOwner.delete(ownerId as string);
      }
    }
    return dependent;
  }
}
