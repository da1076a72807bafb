import { loadEtcdApi } from "@gatehouse/apiserver/storage/etcd/api";
import { GrpcConnection } from "@gatehouse/component-base/grpc";
import { serveOperations } from "../processes/operations.js";
import { type BareWrites, countWrites } from "./count-writes.js";

/** The limit of writes to etcd: puts by the store's own client alone, in a process of its own. */
let nextKey = 0;
const callTimeoutMs = 60_000;

const operations = {
  /** Puts keys at the etcd of a URL, each writer one after the other. Returns puts per second. */
  async write({ url, ...writes }: BareWrites & { readonly url: string }): Promise<number> {
    const { kv } = await loadEtcdApi();
    const { hostname, port } = new URL(url);
    using connection = new GrpcConnection({ address: { host: hostname, port: Number(port) } });
    await connection.waitForReady(callTimeoutMs);
    return await countWrites(writes, (value) => {
      const key = Buffer.from(`/bare/configmaps/default/bench-${String(nextKey++).padStart(9, "0")}`);
      return connection.call(kv.Put, { key, value }, { deadlineMs: callTimeoutMs });
    });
  },
};

export type BareEtcdWriterOperations = typeof operations;

serveOperations(operations);
