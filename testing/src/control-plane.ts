import type { ClientConfig } from "@gatehouse/component-base/kubeconfig";
import type { JsonObject } from "@gatehouse/envelopes/json";
import type { ControlPlaneCertificates } from "./certificates.js";
import type { ClusterAccess, TestUser } from "./cluster-access.js";
import type { ClusterClock } from "./cluster-clock.js";
import type { Manifest } from "./control-plane-options.js";
import type { ClusterFaults } from "./faults/cluster-faults.js";
import type { ControlPlaneLogs } from "./log-lines.js";
import type { Recording } from "./recording/recording.js";

/** The content of a control plane at one revision: all that was stored then. */
export interface ClusterSnapshot {
  /** The resource version of a list at the time of the snapshot. */
  readonly revision: number;
}

/**
 * A running control plane on 127.0.0.1, with an authority and a store of its own. It is itself the access of its
 * administrator (`kubernetes-admin`, group `system:masters`). Disposal stops it.
 */
export interface ControlPlane extends ClusterAccess, AsyncDisposable {
  /** `https://127.0.0.1:port`; stays as it is over restarts. */
  readonly url: string;
  readonly port: number;
  /** Returns what a user of the options, or one that was added, connects with. Throws TypeError for any other name. */
  user(name: string): ClusterAccess;
  /** Adds a user, or replaces one of the same name. */
  addUser(user: TestUser): Promise<ClusterAccess>;
  /** Settings of `createHttpClient` without credentials, for requests of `system:anonymous` and with tokens. */
  readonly anonymousConfig: ClientConfig;
  readonly logs: ControlPlaneLogs;
  /** The authority that signs the certificates of the server and of users, and the files of the server. */
  readonly certificates: ControlPlaneCertificates;
  /** Folder with the data of the server. */
  readonly dataDirectory: string;
  /** A folder for files of the test, mode 0700, removed at the end. */
  readonly folder: string;
  /** Id of the process that serves; it changes with a restart in mode `process`. */
  readonly pid: number;
  /**
   * Sends a signal in mode `process` and waits for the end; resolves to the exit code, `null` when the signal ended the
   * process. `restart` starts it again. In mode `in-process` only SIGTERM is possible; others reject with TypeError.
   */
  kill(signal: NodeJS.Signals): Promise<number | null>;
  /**
   * Starts it again on the same data, certificates and port, after SIGTERM if it still runs; waits until it is ready.
   * `flags` take the place of those in the options, from then on.
   */
  restart(options?: { readonly flags?: readonly string[] }): Promise<void>;
  /**
   * Starts another control plane with everything that this one stores now: objects, definitions, roles, revisions. It
   * shares memory with this one until either changes something, has the same users and certificates, a port of its own, and
   * keeps its data in memory, over its own restarts, too. It ends with this one, if not before. Rejects with TypeError in
   * mode `process`.
   */
  fork(): Promise<ControlPlane>;
  /** Returns everything that is stored now, for `rewind`. It costs no copy. Rejects with TypeError in mode `process`. */
  snapshot(): Promise<ClusterSnapshot>;
  /**
   * Returns to a snapshot of this control plane, or of one that it is a fork of. Revisions go on: an object that differs
   * from its state in the snapshot gets a new resource version. Watches under way, and those from versions before the
   * rewind, end with 410, so that informers list again.
   */
  rewind(snapshot: ClusterSnapshot): Promise<void>;
  /** Faults of requests and webhooks by rule. Throws TypeError in mode `process`. */
  readonly faults: ClusterFaults;
  /** The clock of the server. Throws TypeError in mode `process`. */
  readonly clock: ClusterClock;
  /** Begins to record the requests of everybody. Throws TypeError in mode `process`. */
  record(): Recording;
  /**
   * Applies manifests: objects, and YAML or JSON text such as the output of `helm template`. Namespaces and definitions
   * of custom resources come first, and those are served before the others follow. Resolves to the objects as they are
   * stored. Rejects with the answer of the server to the first that it refuses.
   */
  apply(...manifests: readonly Manifest[]): Promise<readonly JsonObject[]>;
  /** Applies a file, or all files of a folder and the folders in it that end with `.yaml`, `.yml` or `.json`, by name. */
  applyPath(path: string): Promise<readonly JsonObject[]>;
  /** Ends the server, and its forks, and removes all files but a `dataDirectory` of the options. May be called again. */
  stop(): Promise<void>;
}
