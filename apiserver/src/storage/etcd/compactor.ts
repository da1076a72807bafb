import { compareResult, compareTarget } from "./api/kv.js";
import type { EtcdClient } from "./etcd-client.js";
import { isCompacted } from "./etcd-errors.js";

/** The key by which API servers agree who compacts; kube-apiserver has the same one. */
const compactRevisionKey = Buffer.from("compact_rev_key");

/** The interval of compactions, and the receiver of their errors. */
export interface EtcdCompactorOptions {
  /** Interval in milliseconds; 0 for none. */
  readonly intervalMs: number;
  readonly onError: (error: unknown) => void;
}

/** The state of one server: how often the key has been written, as far as it knows, and the revision to compact next. */
interface Turn {
  readonly version: number;
  readonly revision: number;
}

/**
 * Forgets history older than one interval, once for all servers of the cluster, kube-apiservers among them: who raises
 * the version of the key from the one that it saw last compacts, at the revision that was current then; the others see
 * that they were not the first, and try again an interval later.
 */
export function startEtcdCompactor(client: EtcdClient, { intervalMs, onError }: EtcdCompactorOptions): Disposable {
  if (intervalMs <= 0) {
    return { [Symbol.dispose]() {} };
  }
  let turn: Turn = { version: 0, revision: 0 };
  const timer = setInterval(() => {
    compactOnce(client, turn).then((next) => {
      turn = next;
    }, onError);
  }, intervalMs);
  timer.unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/** Takes one turn; returns the state for the next. */
export async function compactOnce(client: EtcdClient, { version, revision }: Turn): Promise<Turn> {
  const { api } = client;
  const key = compactRevisionKey;
  const request = {
    compare: [{ result: compareResult.equal, target: compareTarget.version, key, version }],
    success: [{ requestPut: { key, value: Buffer.from(String(revision)) } }],
    failure: [{ requestRange: { key } }],
  };
  const answer = await client.call(api.kv.Txn, request, { repetition: "never" });
  const now = answer.header?.revision ?? 0;
  if (!answer.succeeded) {
    return { version: answer.responses[0]?.responseRange?.kvs[0]?.version ?? 0, revision: now };
  }
  if (revision > 0) {
    try {
      await client.call(api.kv.Compact, { revision }, { repetition: "read" });
    } catch (error) {
      if (!isCompacted(error)) {
        throw error;
      }
    }
  }
  return { version: version + 1, revision: now };
}
