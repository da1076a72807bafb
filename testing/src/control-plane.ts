import type { ClientConfig } from "@gatehouse/component-base/kubeconfig";
import type { ControlPlaneCertificates } from "./certificates.js";
import type { ClusterAccess, TestUser } from "./cluster-access.js";
import type { ControlPlaneLogs } from "./log-lines.js";

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
  /** Ends the server and removes all files but a `dataDirectory` of the options. May be called again. */
  stop(): Promise<void>;
}
