import { ServerLog } from "@gatehouse/apiserver/logs";
import { type EtcdFaceOptions, startEtcdFace } from "@gatehouse/apiserver/storage/etcd-face";
import { openLmdbStore } from "@gatehouse/apiserver/storage/lmdb";
import type { Logger } from "@gatehouse/component-base/logs";
import { type DrainTask, endOnFatalError, runUntilSignal, thisProcess } from "@gatehouse/component-base/shutdown";
import type { EtcdFaceConfig } from "./etcd-face-config.js";

/** The data directory to serve by the API of etcd, and how. */
export interface ServedDirectory {
  readonly directory: string;
  readonly face: Pick<EtcdFaceConfig, "urls" | "tls"> & Partial<EtcdFaceConfig>;
  readonly logger: Logger;
  /** True if no write is flushed. */
  readonly unsafeNoFsync?: boolean;
  /** The source of connections to the one address, where its port is open already. */
  readonly connections?: EtcdFaceOptions["connections"];
  /** Answers to further paths, in JSON. */
  readonly furtherAnswers?: ReadonlyMap<string, string>;
}

/** Time in milliseconds that open calls get at the end. */
const deadlineMs = 5000;

/** Serves a data directory by the API of etcd until a signal comes. Rejects when the store or a port cannot be opened. */
export async function serveEtcdFace(served: ServedDirectory): Promise<void> {
  const { directory, face: config, logger, unsafeNoFsync = false, furtherAnswers = new Map(), connections } = served;
  endOnFatalError(process, thisProcess, logger);
  const log = new ServerLog(logger);
  const onSweepError = (error: unknown): void => log.expiryFailed(error);
  const store = await openLmdbStore({ directory, observer: log, onSweepError, unsafeNoFsync });
  const tasks: DrainTask[] = [{ name: "store", drain: async () => store[Symbol.asyncDispose]() }];
  try {
    const { keyspace } = store;
    const onFault = (error: unknown): void => log.fault(error);
    const face = await startEtcdFace({ ...config, store, keyspace, furtherAnswers, connections, onFault });
    tasks.push({ name: "etcd API", drain: async () => face[Symbol.asyncDispose]() });
    log.etcdApiServed(face.urls);
  } catch (error) {
    await store[Symbol.asyncDispose]();
    throw error;
  }
  await runUntilSignal({ process: thisProcess, logger, deadlineMs, tasks });
}
