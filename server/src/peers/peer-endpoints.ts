import type { Store } from "@gatehouse/apiserver/storage";
import { encodeJson } from "@gatehouse/envelopes/codec";
import { integerAt, isJsonObject, type JsonObject, type JsonValue, listAt, textAt } from "@gatehouse/envelopes/json";

/** A network address of a server. */
export interface PeerAddress {
  readonly host: string;
  readonly port: number;
}

/** The addresses at which the API servers of a cluster reach each other, by their identities. */
export interface PeerEndpoints {
  /** Tells the address of a server for a while, or goes on telling it. */
  renew(id: string, address: PeerAddress): Promise<void>;
  /** Ends that at once. */
  release(id: string): Promise<void>;
  /** Resolves to the address of a server; undefined when it tells none. */
  find(id: string): Promise<PeerAddress | undefined>;
}

/** Duration in seconds of a lease, as in v1.29; it is renewed every ten seconds. */
const leaseSeconds = 15;

/** Opens leases in the place and shape in which kube-apiserver keeps them, so that both can read each other's. */
export function storePeerEndpoints(store: Store, keyPrefix: string): PeerEndpoints {
  const prefix = `${keyPrefix}peerserverleases/`;
  return {
    async renew(id, address) {
      const key = prefix + id;
      let { kv: known } = await store.get(key);
      for (;;) {
        const value = leaseValue(id, address, known === undefined ? 0n : generationOf(known.value));
        const expectedRevision = known?.modRevision ?? 0;
        const result = await store.put(key, value, { expectedRevision, ttlSeconds: leaseSeconds });
        if (result.succeeded) {
          return;
        }
        known = result.current;
      }
    },
    async release(id) {
      const { kv } = await store.get(prefix + id);
      if (kv !== undefined) {
        await store.delete(kv.key, { expectedRevision: kv.modRevision });
      }
    },
    async find(id) {
      const { kv } = await store.get(prefix + id);
      return kv && addressOf(kv.value);
    },
  };
}

function leaseValue(id: string, { host, port }: PeerAddress, generation: bigint): Buffer {
  const lease = {
    kind: "Endpoints",
    apiVersion: "v1",
    // As in v1.29 a renewal changes something.
    metadata: { generation: Number(generation + 1n), labels: { apiserverIdentity: id } },
    subsets: [{ addresses: [{ ip: host }], ports: [{ name: "https", port, protocol: "TCP" }] }],
  };
  return Buffer.from(encodeJson(lease));
}

function generationOf(value: Buffer): bigint {
  return BigInt(integerAt(parse(value), "metadata", "generation"));
}

function addressOf(value: Buffer): PeerAddress | undefined {
  const subset = listAt(parse(value), "subsets")[0];
  const host = textAt(listAt(subset, "addresses")[0], "ip");
  const port = Number(integerAt(listAt(subset, "ports")[0], "port"));
  return host === "" || port === 0 ? undefined : { host, port };
}

function parse(value: Buffer): JsonObject {
  const lease = JSON.parse(value.toString()) as JsonValue;
  return isJsonObject(lease) ? lease : {};
}
