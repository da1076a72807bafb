import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Certificates, makeCertificates } from "./certificates.js";

/** Another API server that runs already, and whose store is empty. */
export interface PeerOptions {
  /** Says where on 127.0.0.1 it is, and who may do everything there by a client certificate. */
  readonly kubeconfig: string;
  /** All its processes, the store's too. */
  readonly pids: readonly number[];
}

/** The environment of every benchmark. */
export interface BenchEnvironment {
  readonly certificates: Certificates;
  /** Fewer and shorter rounds and fewer objects: to see that it runs, not to quote figures. */
  readonly quick: boolean;
  /** Number of times that each side is measured. */
  readonly rounds: number;
  /** Length of one measurement. */
  readonly roundMs: number;
  /** Events among which one user's are looked for. */
  readonly auditEvents: number;
  /** Time in seconds for which the audit sink is under load. */
  readonly sinkSeconds: number;
  /** Options for the node process of Gatehouse, to profile it. */
  readonly serverNodeOptions: readonly string[];
  /** Another API server to compare with. */
  readonly peer: PeerOptions | undefined;
  /** URL of the etcd of the other API server. */
  readonly peerEtcd: string | undefined;
  /** A folder with another kube-apiserver and etcd, to start them. */
  readonly peerPair: string | undefined;
  /** Another evaluator of expressions to compare with: a program. */
  readonly expressionPeer: string | undefined;
  /** The program etcd. */
  readonly etcd: string | undefined;
  /** A new empty folder on the disk that is measured. */
  makeDirectory(): Promise<string>;
}

export interface BenchOptions {
  readonly quick: boolean;
  readonly auditEvents: number;
  /** Time in seconds for which the audit sink is under load. */
  readonly sinkSeconds: number;
  /** 7 when not given, 3 if quick. */
  readonly rounds: number | undefined;
  readonly serverNodeOptions: readonly string[];
  readonly peer: PeerOptions | undefined;
  readonly peerEtcd: string | undefined;
  readonly peerPair: string | undefined;
  readonly expressionPeer: string | undefined;
  readonly etcd: string | undefined;
  /** Folder for temporary folders, among them the stores under measurement. */
  readonly parentDirectory: string | undefined;
}

/** Makes the environment; dispose of it to remove everything it made. */
export async function openBenchEnvironment(options: BenchOptions): Promise<BenchEnvironment & AsyncDisposable> {
  const { quick } = options;
  const root = await mkdtemp(join(options.parentDirectory ?? tmpdir(), "gatehouse-bench-"));
  return {
    certificates: await makeCertificates(root),
    quick,
    sinkSeconds: quick ? Math.min(options.sinkSeconds, 3) : options.sinkSeconds,
    auditEvents: quick ? Math.min(options.auditEvents, 100_000) : options.auditEvents,
    serverNodeOptions: options.serverNodeOptions,
    peer: options.peer,
    peerEtcd: options.peerEtcd,
    peerPair: options.peerPair,
    expressionPeer: options.expressionPeer,
    etcd: options.etcd,
    rounds: options.rounds ?? (quick ? 3 : 7),
    roundMs: quick ? 700 : 2000,
    makeDirectory: () => mkdtemp(join(root, "data-")),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  };
}
