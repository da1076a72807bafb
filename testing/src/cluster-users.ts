import type { ClientConfig } from "@gatehouse/component-base/kubeconfig";
import type { CertificateAndKey } from "@gatehouse/component-base/pki";
import type { ControlPlaneCertificates } from "./certificates.js";
import { type ClusterAccess, clusterAccess, type TestUser } from "./cluster-access.js";

const administrator: TestUser = { name: "kubernetes-admin", groups: ["system:masters"] };

/** A user, the certificate by which control planes of one authority know the user, and the access to one of them. */
interface KnownUser {
  readonly user: TestUser;
  readonly certificate: CertificateAndKey;
  readonly access: ClusterAccess;
}

/** The control plane that users connect to. */
export interface UsersOptions {
  readonly certificates: ControlPlaneCertificates;
  /** Returns the server and the authority that it is verified with; called when the server has a port. */
  readonly connection: () => ClientConfig;
  /** Kubeconfigs are written here. */
  readonly folder: string;
}

/** The users of a control plane. Disposal closes their connections. */
export class ClusterUsers implements Disposable {
  readonly #options: UsersOptions;
  readonly #known = new Map<string, KnownUser>();
  readonly #clients: Disposable[] = [];
  #administrator: KnownUser | undefined;

  constructor(options: UsersOptions) {
    this.#options = options;
  }

  /** The access of the administrator. Throws TypeError before there is one. */
  get administrator(): ClusterAccess {
    if (this.#administrator === undefined) {
      throw new TypeError("the control plane has not been started");
    }
    return this.#administrator.access;
  }

  /** Issues the certificate of the administrator while the server starts. */
  async addAdministrator(started: Promise<unknown>): Promise<void> {
    const [certificate] = await Promise.all([this.#certificateOf(administrator), started]);
    this.#administrator = this.#knownUser(administrator, certificate);
  }

  /** Adds a user, or replaces one of the same name. */
  async add(user: TestUser): Promise<ClusterAccess> {
    const known = this.#knownUser(user, await this.#certificateOf(user));
    this.#known.set(user.name, known);
    return known.access;
  }

  /** Takes over the users of a control plane with the same authority, the administrator included. */
  takeFrom(other: ClusterUsers): void {
    const take = ({ user, certificate }: KnownUser): KnownUser => this.#knownUser(user, certificate);
    this.#administrator = other.#administrator && take(other.#administrator);
    for (const [name, known] of other.#known) {
      this.#known.set(name, take(known));
    }
  }

  /** Returns the access of a user that was added. Throws TypeError for any other name. */
  get(name: string): ClusterAccess {
    const known = this.#known.get(name);
    if (known === undefined) {
      throw new TypeError(`there is no user ${JSON.stringify(name)}; known: ${[...this.#known.keys()].join(", ")}`);
    }
    return known.access;
  }

  [Symbol.dispose](): void {
    for (const client of this.#clients) {
      client[Symbol.dispose]();
    }
  }

  #certificateOf({ name, groups = [] }: TestUser): Promise<CertificateAndKey> {
    return this.#options.certificates.clientCertificate(name, groups);
  }

  #knownUser(user: TestUser, certificate: CertificateAndKey): KnownUser {
    const access = clusterAccess(user, certificate, {
      connection: this.#options.connection(),
      folder: this.#options.folder,
      closeLater: (client) => this.#clients.push(client),
    });
    return { user, certificate, access };
  }
}
