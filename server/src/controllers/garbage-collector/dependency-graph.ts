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
 * The graph of owners and dependents. It holds only objects with owners; owners are known by the references to them, which
 * lead to a location, and name a uid. The object with that uid may be elsewhere: in another namespace, or in one at all.
 */
export class DependencyGraph {
  readonly #dependents = new Map<string, Dependent>();
  readonly #byOwner = new DependentSets();
  readonly #byOwnerUid = new DependentSets();

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
    return this.#byOwner.get(ownerId);
  }

  /** Returns the objects whose references name this uid, wherever they lead to. */
  dependentsOfUid(ownerUid: string): ReadonlySet<Dependent> {
    return this.#byOwnerUid.get(ownerUid);
  }

  /** Adds or replaces a dependent, and returns the replaced one. */
  set(dependent: Dependent): Dependent | undefined {
    const before = this.remove(dependent.id);
    this.#dependents.set(dependent.id, dependent);
    this.#byOwner.add(dependent.ownerIds, dependent);
    this.#byOwnerUid.add(uidsOf(dependent), dependent);
    return before;
  }

  remove(id: string): Dependent | undefined {
    const dependent = this.#dependents.get(id);
    if (dependent === undefined) {
      return undefined;
    }
    this.#dependents.delete(id);
    this.#byOwner.remove(dependent.ownerIds, dependent);
    this.#byOwnerUid.remove(uidsOf(dependent), dependent);
    return dependent;
  }
}

/** Dependents by what they say of their owners. */
class DependentSets {
  readonly #sets = new Map<string, Set<Dependent>>();

  get(key: string): ReadonlySet<Dependent> {
    return this.#sets.get(key) ?? none;
  }

  add(keys: readonly (string | undefined)[], dependent: Dependent): void {
    for (const key of keys) {
      const siblings = key === undefined ? undefined : this.#sets.get(key);
      if (siblings !== undefined) {
        siblings.add(dependent);
      } else if (key !== undefined) {
        this.#sets.set(key, new Set([dependent]));
      }
    }
  }

  remove(keys: readonly (string | undefined)[], dependent: Dependent): void {
    for (const key of keys) {
      const siblings = key === undefined ? undefined : this.#sets.get(key);
      if (siblings?.delete(dependent) === true && siblings.size === 0) {
        this.#sets.delete(key as string);
      }
    }
  }
}

function uidsOf({ owners }: Dependent): readonly string[] {
  return owners.map(({ uid }) => uid);
}
