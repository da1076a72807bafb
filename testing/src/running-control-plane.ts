import { join } from "node:path";
import type { HttpClient } from "@gatehouse/component-base/http-client";
import type { ClientConfig } from "@gatehouse/component-base/kubeconfig";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { ObjectApplier } from "./apply-objects.js";
import type { ControlPlaneCertificates } from "./certificates.js";
import type { ClusterAccess, Kubeconfig, TestUser } from "./cluster-access.js";
import type { ClusterClock } from "./cluster-clock.js";
import { ClusterUsers } from "./cluster-users.js";
import type { ClusterSnapshot, ControlPlane } from "./control-plane.js";
import type { Manifest } from "./control-plane-options.js";
import type { ClusterFaults } from "./faults/cluster-faults.js";
import { Harness } from "./harness.js";
import { LogLines } from "./log-lines.js";
import { type KubernetesObject, readManifestFiles, readManifests } from "./manifests.js";
import { makeForkFolder, type PrivateFolder } from "./private-folder.js";
import type { Recording } from "./recording/recording.js";
import { dataOf, runInProcess } from "./server-run/in-process.js";
import { RestartableServer } from "./server-run/restartable-server.js";
import type { ServerImage } from "./server-run/server-run.js";
import { startError } from "./start-error.js";
import { type Deadline, startDeadline, until } from "./until.js";

/** Returns the image that a snapshot is. Throws TypeError for anything else. */
function imageOf(snapshot: ClusterSnapshot): ServerImage {
  if (!("tree" in snapshot)) {
    throw new TypeError("rewind takes what snapshot() has returned");
  }
  return snapshot as ServerImage;
}

const probeTimeoutMs = 10_000;

/** Parts of a control plane, which closes all of them. */
export interface ControlPlaneParts {
  readonly server: RestartableServer;
  /** The hand of the test in the server; undefined for one in a process of its own. */
  readonly harness: Harness | undefined;
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

/** Folder of the data of forks below their own folder; it stays empty, since they keep their data in memory. */
const emptyFolder = "data";

/** Users and objects that a control plane begins with. */
export interface ControlPlaneContent {
  readonly users: readonly TestUser[];
  readonly definitions: readonly KubernetesObject[];
  readonly objects: readonly KubernetesObject[];
}

/** A control plane from its parts. Nothing but `start` and disposal may be called before it has been started. */
export class RunningControlPlane implements ControlPlane {
  readonly #parts: ControlPlaneParts;
  readonly #users: ClusterUsers;
  readonly #forks = new Set<RunningControlPlane>();
  #given: readonly string[];
  #flags: readonly string[];
  #onStopped: () => void = () => {};
  #stopped: Promise<void> | undefined;

  constructor(parts: ControlPlaneParts) {
    this.#parts = parts;
    this.#users = new ClusterUsers({
      certificates: parts.certificates,
      connection: () => this.anonymousConfig,
      folder: parts.folder.path,
    });
    if (parts.harness !== undefined) {
      parts.harness.server = () => (parts.server.hasEnded() ? undefined : parts.server.data);
    }
    this.#given = parts.flags;
    this.#flags = parts.serverFlags(parts.flags);
  }

  /** Starts the server, waits until it is ready and fills it. */
  async start({ users, definitions, objects }: ControlPlaneContent): Promise<void> {
    const { server, startTimeoutMs } = this.#parts;
    using deadline = startDeadline(startTimeoutMs);
    await this.#users.addAdministrator(server.start(this.#flags, deadline));
    await Promise.all([this.#untilReady(deadline), ...users.map((user) => this.addUser(user))]);
    const applier = new ObjectApplier(this.client, deadline);
    await applier.applyDefinitions(definitions);
    for (const object of objects) {
      await applier.apply(object);
    }
  }

  /** Starts the server of a fork, whose users are those of its parent, and waits until it is ready. */
  async #startFork(parent: RunningControlPlane): Promise<void> {
    using deadline = startDeadline(this.#parts.startTimeoutMs);
    await this.#parts.server.start(this.#flags, deadline);
    this.#users.takeFrom(parent.#users);
    // A request would cost a TLS connection, which the test may not need.
    await until("it is ready", deadline, () => this.#parts.server.data.isReady());
  }

  async fork(): Promise<ControlPlane> {
    const image = await this.#parts.server.data.image();
    const data = await dataOf(image);
    const folder = await makeForkFolder(this.folder);
    const logs = new LogLines();
    const harness = new Harness(this.#harness.clock.aheadMs);
    const fork = new RunningControlPlane({
      ...this.#parts,
      harness,
      server: new RestartableServer(
        (flags, write) => runInProcess(flags, write, { ...harness.parts, data }),
        (text) => logs.write(text),
      ),
      flags: this.#given,
      folder,
      dataDirectory: join(folder.path, emptyFolder),
      logs,
    });
    this.#forks.add(fork);
    fork.#onStopped = () => this.#forks.delete(fork);
    try {
      await fork.#startFork(this);
      return fork;
    } catch (error) {
      await fork.stop();
      throw startError(error, logs.text());
    }
  }

  get faults(): ClusterFaults {
    return this.#harness.faults;
  }

  get clock(): ClusterClock {
    return this.#harness.clock;
  }

  record(): Recording {
    return this.#harness.record();
  }

  async apply(...manifests: readonly Manifest[]): Promise<readonly JsonObject[]> {
    return this.#applyAll(await readManifests("manifests", manifests));
  }

  async applyPath(path: string): Promise<readonly JsonObject[]> {
    return this.#applyAll(await readManifestFiles(path));
  }

  async #applyAll(objects: readonly KubernetesObject[]): Promise<readonly JsonObject[]> {
    using deadline = startDeadline(this.#parts.startTimeoutMs);
    return new ObjectApplier(this.client, deadline).applyAll(objects);
  }

  get #harness(): Harness {
    const { harness } = this.#parts;
    if (harness === undefined) {
      throw new TypeError(
        'the control plane runs in a process of its own; faults, clock and recordings need mode "in-process"',
      );
    }
    return harness;
  }

  async snapshot(): Promise<ClusterSnapshot> {
    return this.#parts.server.data.image();
  }

  async rewind(snapshot: ClusterSnapshot): Promise<void> {
    await this.#parts.server.data.rewind(imageOf(snapshot));
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
    return this.#users.administrator.userName;
  }

  get groups(): readonly string[] {
    return this.#users.administrator.groups;
  }

  get tls(): ClusterAccess["tls"] {
    return this.#users.administrator.tls;
  }

  get kubeconfig(): Kubeconfig {
    return this.#users.administrator.kubeconfig;
  }

  get client(): HttpClient {
    return this.#users.administrator.client;
  }

  get clientConfig(): ClientConfig {
    return this.#users.administrator.clientConfig;
  }

  kubeconfigFile(): Promise<string> {
    return this.#users.administrator.kubeconfigFile();
  }

  user(name: string): ClusterAccess {
    return this.#users.get(name);
  }

  addUser(user: TestUser): Promise<ClusterAccess> {
    return this.#users.add(user);
  }

  kill(signal: NodeJS.Signals): Promise<number | null> {
    return this.#parts.server.kill(signal);
  }

  async restart({ flags }: { readonly flags?: readonly string[] } = {}): Promise<void> {
    const { server, serverFlags, startTimeoutMs } = this.#parts;
    if (flags !== undefined) {
      this.#given = flags;
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
    await Promise.all([...this.#forks].map((fork) => fork.stop()));
    this.#users[Symbol.dispose]();
    try {
      await server.kill("SIGTERM");
    } finally {
      logs.close();
      await folder[Symbol.asyncDispose]();
      this.#onStopped();
    }
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
