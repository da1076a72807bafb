import type { HttpClient } from "@gatehouse/component-base/http-client";
import type { ClientConfig } from "@gatehouse/component-base/kubeconfig";
import type { CertificateAndKey } from "@gatehouse/component-base/pki";
import { ObjectApplier } from "./apply-objects.js";
import type { ControlPlaneCertificates } from "./certificates.js";
import { type ClusterAccess, clusterAccess, type Kubeconfig, type TestUser } from "./cluster-access.js";
import type { ControlPlane } from "./control-plane.js";
import type { LogLines } from "./log-lines.js";
import type { KubernetesObject } from "./manifests.js";
import type { PrivateFolder } from "./private-folder.js";
import type { RestartableServer } from "./server-run/restartable-server.js";
import { type Deadline, startDeadline, until } from "./until.js";

const administrator: TestUser = { name: "kubernetes-admin", groups: ["system:masters"] };
const probeTimeoutMs = 10_000;

/** Parts of a control plane, which closes all of them. */
export interface ControlPlaneParts {
  readonly server: RestartableServer;
  /** Makes the flags of the server from those that the user gives. */
  readonly serverFlags: (given: readonly string[]) => readonly string[];
  /** Flags that the user gives. */
  readonly flags: readonly string[];
  readonly folder: PrivateFolder;
  readonly certificates: ControlPlaneCertificates;
  readonly dataDirectory: string;
  readonly logs: LogLines;
  readonly startTimeoutMs: number;
  /** True if the control plane is ready only when pods can be created. */
  readonly waitsForServiceAccount: boolean;
}

/** Users and objects that a control plane begins with. */
export interface ControlPlaneContent {
  readonly users: readonly TestUser[];
  readonly definitions: readonly KubernetesObject[];
  readonly objects: readonly KubernetesObject[];
}

/** A control plane from its parts. Nothing but `start` and disposal may be called before it has been started. */
export class RunningControlPlane implements ControlPlane {
  readonly #parts: ControlPlaneParts;
  readonly #users = new Map<string, ClusterAccess>();
  readonly #clients: Disposable[] = [];
  #flags: readonly string[];
  #administrator: ClusterAccess | undefined;
  #stopped: Promise<void> | undefined;

  constructor(parts: ControlPlaneParts) {
    this.#parts = parts;
    this.#flags = parts.serverFlags(parts.flags);
  }

  /** Starts the server, waits until it is ready and fills it. */
  async start({ users, definitions, objects }: ControlPlaneContent): Promise<void> {
    const { server, startTimeoutMs } = this.#parts;
    using deadline = startDeadline(startTimeoutMs);
    const [certificate] = await Promise.all([this.#certificateOf(administrator), server.start(this.#flags, deadline)]);
    this.#administrator = this.#accessOf(administrator, certificate);
    await Promise.all([this.#untilReady(deadline), ...users.map((user) => this.addUser(user))]);
    const applier = new ObjectApplier(this.client, deadline);
    await applier.applyDefinitions(definitions);
    for (const object of objects) {
      await applier.apply(object);
    }
  }

  get url(): string {
    return `https://127.0.0.1:${this.port}`;
  }

  get port(): number {
    return this.#parts.server.port;
  }

  get pid(): number {
    return this.#parts.server.pid;
  }

  get logs(): LogLines {
    return this.#parts.logs;
  }

  get anonymousConfig(): ClientConfig {
    const certificateAuthorityPem = this.certificates.authority.certificatePem;
    return { server: new URL(this.url), certificateAuthorityPem, insecureSkipTlsVerify: false };
  }

  get certificates(): ControlPlaneCertificates {
    return this.#parts.certificates;
  }

  get dataDirectory(): string {
    return this.#parts.dataDirectory;
  }

  get folder(): string {
    return this.#parts.folder.path;
  }

  get userName(): string {
    return this.#access.userName;
  }

  get groups(): readonly string[] {
    return this.#access.groups;
  }

  get tls(): ClusterAccess["tls"] {
    return this.#access.tls;
  }

  get kubeconfig(): Kubeconfig {
    return this.#access.kubeconfig;
  }

  get client(): HttpClient {
    return this.#access.client;
  }

  get clientConfig(): ClientConfig {
    return this.#access.clientConfig;
  }

  kubeconfigFile(): Promise<string> {
    return this.#access.kubeconfigFile();
  }

  user(name: string): ClusterAccess {
    const access = this.#users.get(name);
    if (access === undefined) {
      throw new TypeError(`there is no user ${JSON.stringify(name)}; known: ${[...this.#users.keys()].join(", ")}`);
    }
    return access;
  }

  async addUser(user: TestUser): Promise<ClusterAccess> {
    const access = this.#accessOf(user, await this.#certificateOf(user));
    this.#users.set(user.name, access);
    return access;
  }

  kill(signal: NodeJS.Signals): Promise<number | null> {
    return this.#parts.server.kill(signal);
  }

  async restart({ flags }: { readonly flags?: readonly string[] } = {}): Promise<void> {
    const { server, serverFlags, startTimeoutMs } = this.#parts;
    if (flags !== undefined) {
      this.#flags = serverFlags(flags);
    }
    await server.kill("SIGTERM");
    using deadline = startDeadline(startTimeoutMs);
    await server.start(this.#flags, deadline);
    await this.#untilReady(deadline);
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#close();
    return this.#stopped;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async #close(): Promise<void> {
    const { server, folder, logs } = this.#parts;
    for (const client of this.#clients) {
      client[Symbol.dispose]();
    }
    try {
      await server.kill("SIGTERM");
    } finally {
      logs.close();
      await folder[Symbol.asyncDispose]();
    }
  }

  get #access(): ClusterAccess {
    if (this.#administrator === undefined) {
      throw new TypeError("the control plane has not been started");
    }
    return this.#administrator;
  }

  #certificateOf({ name, groups = [] }: TestUser): Promise<CertificateAndKey> {
    return this.#parts.certificates.clientCertificate(name, groups);
  }

  #accessOf(user: TestUser, certificate: CertificateAndKey): ClusterAccess {
    return clusterAccess(user, certificate, {
      connection: this.anonymousConfig,
      folder: this.folder,
      closeLater: (client) => this.#clients.push(client),
    });
  }

  async #untilReady(deadline: Deadline): Promise<void> {
    await this.#untilFound("/readyz", deadline);
    if (this.#parts.waitsForServiceAccount) {
      await this.#untilFound("/api/v1/namespaces/default/serviceaccounts/default", deadline);
    }
  }

  async #untilFound(path: string, deadline: Deadline): Promise<void> {
    let answer = "";
    const ask = async (): Promise<boolean> => {
      if (this.#parts.server.hasEnded()) {
        throw new Error(`the server ended before it was ready; its last answer at ${path}: ${answer}`);
      }
      const { status, body } = await this.client.request({ path, signal: deadline.signal, timeoutMs: probeTimeoutMs });
      answer = `${status} ${body}`;
      return status === 200;
    };
    await until(`${path} answers 200`, deadline, ask);
  }
}
