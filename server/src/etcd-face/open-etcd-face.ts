import type { OnClockAdvance } from "@gatehouse/apiserver/client";
import type { Store } from "@gatehouse/apiserver/storage";
import { startEtcdFace } from "@gatehouse/apiserver/storage/etcd-face";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { problemAt } from "@gatehouse/component-base/problems";
import type { EtcdFaceConfig } from "./etcd-face-config.js";

/** The store to serve, and what is told of it. */
export interface EtcdFaceParts {
  readonly store: Store;
  /** Returns the time in milliseconds since 1970. */
  readonly now: () => number;
  /** Takes the running face, which is closed before the store. */
  readonly closers: { use(face: AsyncDisposable): unknown };
  readonly log: { etcdApiServed(urls: readonly string[]): void; fault(error: unknown): void };
}

/**
 * Serves the embedded store by the API of etcd, if that is asked for. Of several workers the first one does: it has ended
 * before its replacement opens the port, so its calls end only with its process.
 */
export async function openEtcdFace(
  config: EtcdFaceConfig | undefined,
  parts: EtcdFaceParts,
  workers: { readonly number: number } | undefined,
  onClockAdvance: OnClockAdvance | undefined,
): Promise<void> {
  const { store, now, closers, log } = parts;
  if (config === undefined) {
    return;
  }
  const { keyspace } = store;
  if (keyspace === undefined) {
    throw new ConfigurationError("flags", [
      problemAt("--listen-etcd-urls", "is for the embedded store; etcd serves its own API"),
    ]);
  }
  if (workers !== undefined && workers.number !== 1) {
    return;
  }
  const face = await startEtcdFace({ ...config, store, keyspace, now, onFault: (error) => log.fault(error) });
  closers.use(face);
  onClockAdvance?.(() => face.expireNow());
  log.etcdApiServed(face.urls);
}
