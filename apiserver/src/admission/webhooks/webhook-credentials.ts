import type { ClientIdentity } from "@gatehouse/component-base";

/** Who to be for whom: the users of a kubeconfig file whose names are addresses, as v1.29 reads them. */
export class WebhookCredentials {
  readonly #users: ReadonlyMap<string, ClientIdentity>;
  readonly #current: ClientIdentity | undefined;

  /** `current` is the user of the current context, for whom nothing better is found. */
  constructor(users: ReadonlyMap<string, ClientIdentity>, current?: ClientIdentity) {
    this.#users = users;
    this.#current = current;
  }

  /** The identity for a host with its port; an empty one when nothing is said of it. */
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

  /** By the name itself, then by `*.` and ever less of it. */
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
