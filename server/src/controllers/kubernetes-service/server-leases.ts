import type { Store } from "@gatehouse/apiserver/storage";
import { encodeJson } from "@gatehouse/envelopes/codec";
import { isJsonObject, type JsonValue, listAt, textAt } from "@gatehouse/envelopes/json";

/**
 * The leases of the API servers that are alive: each keeps one under its address in the store, and lets it expire when
 * it dies.
 */
export interface ServerLeases {
  /** Takes or renews the lease of an address. */
  renew(address: string): Promise<void>;
  /** Gives the lease of an address back. */
  release(address: string): Promise<void>;
  /** Returns the addresses with a lease, sorted. */
  addresses(): Promise<readonly string[]>;
}

/** Duration in seconds of a lease, as in v1.29; it is renewed every ten seconds. */
const leaseSeconds = 15;

/** Opens leases in the place and shape in which kube-apiserver keeps them, so that both can read each other's. */
export function storeServerLeases(store: Store, keyPrefix: string): ServerLeases {
  const prefix = `${keyPrefix}masterleases/`;
  return {
    async renew(address) {
      const key = prefix + address;
      let expectedRevision = (await store.get(key)).kv?.modRevision ?? 0;
      for (;;) {
        const result = await store.put(key, leaseValue(address), { expectedRevision, ttlSeconds: leaseSeconds });
        if (result.succeeded) {
          return;
        }
        expectedRevision = result.current?.modRevision ?? 0;
      }
    },
    async release(address) {
      const { kv } = await store.get(prefix + address);
      if (kv !== undefined) {
        await store.delete(kv.key, { expectedRevision: kv.modRevision });
      }
    },
    async addresses() {
      const { kvs } = await store.range({ prefix });
      return kvs
        .map(({ value }) => addressOf(value))
        .filter((address) => address !== "")
        .sort();
    },
  };
}

function leaseValue(address: string): Buffer {
  const lease = { kind: "Endpoints", apiVersion: "v1", metadata: {}, subsets: [{ addresses: [{ ip: address }] }] };
  return Buffer.from(encodeJson(lease));
}

function addressOf(value: Buffer): string {
  const lease = JSON.parse(value.toString()) as JsonValue;
  return isJsonObject(lease) ? textAt(listAt(listAt(lease, "subsets")[0], "addresses")[0], "ip") : "";
}
