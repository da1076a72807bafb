import type { AccessUser } from "../access/requested-access.js";
import type { ScopeGrants } from "./scope-grants.js";

type Look = (user: AccessUser, namespace: string) => readonly ScopeGrants[];

/** The limit of namespaces kept per user: clients choose which ones they ask about. */
const maxNamespaces = 256;

/**
 * A cache of the grants of users, by user object: authenticators use the same one for many requests. A user in many
 * groups would otherwise be looked up in all of them for each request.
 */
export class KnownUsers {
  readonly #look: Look;
  #users = new WeakMap<AccessUser, Map<string, readonly ScopeGrants[]>>();

  constructor(look: Look) {
    this.#look = look;
  }

  /** Forgets all users, because a subject has got its first grant in a scope, or lost its last. */
  forget(): void {
    this.#users = new WeakMap();
  }

  of(user: AccessUser, namespace: string): readonly ScopeGrants[] {
    let namespaces = this.#users.get(user);
    if (namespaces === undefined) {
      namespaces = new Map();
      this.#users.set(user, namespaces);
    }
    let grants = namespaces.get(namespace);
    if (grants === undefined) {
      grants = this.#look(user, namespace);
      if (namespaces.size >= maxNamespaces) {
        namespaces.clear();
      }
      namespaces.set(namespace, grants);
    }
    return grants;
  }
}
