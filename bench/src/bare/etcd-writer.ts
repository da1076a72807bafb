import { loadEtcdApi } from "@gatehouse/apiserver/storage/etcd/api";
import { GrpcConnection } from "@gatehouse/component-base/grpc";
import { serveOperations } from "../processes/operations.js";
import type { BareWrites } from "./lmdb-writer.js";

/** The limit of writes to etcd: puts by the store's own client alone, in a process of its own. */
let nextKey = 0;
const callTimeoutMs = 60_000;

const operations = {
  /** Puts keys at the etcd of a URL, each writer one after the other. Returns puts per second. */
  async write({
    url,
    writers,
    valueBytes,
    warmupMs,
    durationMs,
  }: BareWrites & { readonly url: string }): Promise<number> {
    const { kv } = await loadEtcdApi();
    const { hostname, port } = new URL(url);
    using connection = new GrpcConnection({ address: { host: hostname, port: Number(port) } });
    await connection.waitForReady(callTimeoutMs);
    const value = Buffer.alloc(valueBytes, "x");
    const measureFrom = performance.now() + warmupMs;
    const until = measureFrom + durationMs;
    let count = 0;
    const writer = async (): Promise<void> => {
      for (let now = performance.now(); now < until; now = performance.now()) {
        const key = Buffer.from(`/bare/configmaps/default/bench-${String(nextKey++).padStart(9, "0")}`);
        await connection.call(kv.Put, { key, value }, { deadlineMs: callTimeoutMs });
        if (performance.now() >= measureFrom) {
          count++;
        }
      }
    };
    await Promise.all(Array.from({ length: writers }, writer));
    return count / ((performance.now() - measureFrom) / 1000);
  },
};

export type BareEtcdWriterOperations = typeof operations;

serveOperations(operations);
