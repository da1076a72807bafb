import type { ControlPlaneCertificates } from "./certificates.js";
import type { TestUser } from "./cluster-access.js";
import type { ServerProgram } from "./server-run/as-process.js";

/** An object with `apiVersion`, `kind` and `metadata`, or YAML or JSON text with any number of them. */
export type Manifest = object | string;

/** Options of `startControlPlane`. All of them may be left out. */
export interface ControlPlaneOptions {
  /**
   * `in-process` runs the server in the process of the tests, which is faster; `process` in a process of its own, which
   * can be killed. Default `in-process`.
   */
  readonly mode?: "in-process" | "process";
  /** Authorization modes, in the order in which they are asked. Default: RBAC, with the roles of every cluster. */
  readonly authorization?: readonly ("AlwaysAllow" | "AlwaysDeny" | "ABAC" | "Webhook" | "RBAC" | "Node")[];
  /** Admission plugins beside those that are on by default, and which of those are off. */
  readonly admissionPlugins?: { readonly enable?: readonly string[]; readonly disable?: readonly string[] };
  /** Flags of `gatehouse-apiserver`, for instance `--feature-gates=...`; they win over what other options and defaults say. */
  readonly flags?: readonly string[];
  /** Makes more flags from the certificates of the control plane, for what must be known before it starts. */
  readonly flagsFor?: (certificates: ControlPlaneCertificates) => readonly string[] | Promise<readonly string[]>;
  /** Users beside the administrator; `ControlPlane.user` returns what they connect with. */
  readonly users?: readonly TestUser[];
  /** CustomResourceDefinitions that are served before the start resolves. */
  readonly definitions?: readonly Manifest[];
  /** Objects that are applied in this order before the start resolves, after the definitions. */
  readonly objects?: readonly Manifest[];
  /** Folder with the data of the server, which is kept. Default: an empty one that is removed at the end. */
  readonly dataDirectory?: string;
  /**
   * Folder in which the private folder of the control plane is made. Default: in memory (`/dev/shm`) where there are
   * 512 MiB of it, else the system's folder for temporary files.
   */
  readonly temporaryDirectory?: string;
  /** Script that is run in mode `process`. Default: `gatehouse-apiserver` as installed with the package `@gatehouse/server`. */
  readonly program?: ServerProgram;
  /** Time that the start may take, and every restart, in milliseconds. Default 60,000. */
  readonly startTimeoutMs?: number;
}
