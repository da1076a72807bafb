import type { ClientIdentity } from "@gatehouse/component-base/kubeconfig";

/**
 * The identities of the API server for webhooks: users of a kubeconfig file whose names are addresses, as v1.29 reads
 * them.
 */
export class WebhookCredentials {
  readonly #users: ReadonlyMap<string, ClientIdentity>;
  readonly #current: ClientIdentity | undefined;

  /** Takes the users by name, and the user of the current context, used where none matches. */
  constructor(users: ReadonlyMap<string, ClientIdentity>, current?: ClientIdentity) {
    this.#users = users;
    this.#current = current;
  }

  /** Returns the identity for a host with its port; an empty one when there is none. */
  for(hostPort: string): ClientIdentity {
    const withoutPort = hostPort.endsWith(":443") ? hostPort.slice(0, -":443".length) : undefined;
    return (
      this.#named(hostPort) ??
      (withoutPort === undefined ? undefined : this.#named(withoutPort)) ??
      this.#users.get("*") ??
      this.#current ??
      {}
    );
  }

  /** Finds a user by the name itself, then by `*.` and ever shorter suffixes of it. */
  #named(target: string): ClientIdentity | undefined {
    const exact = this.#users.get(target);
    if (exact !== undefined) {
      return exact;
    }
    for (let dot = target.indexOf("."); dot >= 0; dot = target.indexOf(".", dot + 1)) {
      const found = this.#users.get(`*${target.slice(dot)}`);
      if (found !== undefined) {
        return found;
      }
    }
    return undefined;
  }
}
