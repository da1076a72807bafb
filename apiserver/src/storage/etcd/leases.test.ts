import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { loadEtcdApi } from "./api/index.js";
import { Leases, type LeasesOptions } from "./leases.js";

const api = await loadEtcdApi();

/** An etcd that grants leases, and a clock that stands. */
class Grants {
  readonly ttls: number[] = [];
  readonly counts: number[] = [];
  nowMs = 1_000_000;
  failure: Error | undefined;

  leases(reuseSeconds = 60): Leases {
    const call = async (_: unknown, { ttlSeconds }: { readonly ttlSeconds: number }) => {
      if (this.failure !== undefined) {
        throw this.failure;
      }
      this.ttls.push(ttlSeconds);
      return { id: BigInt(this.ttls.length), ttlSeconds };
    };
    return new Leases({
      client: { api, call } as unknown as LeasesOptions["client"],
      reuseSeconds,
      metrics: { leaseObjects: (count) => this.counts.push(count) },
      now: () => this.nowMs,
    });
  }
}

describe("leases for keys with a time to live", () => {
  it("are shared for 5% of the time, a minute at most, by keys that are written one after the other", async () => {
    const grants = new Grants();
    const leases = grants.leases();
    assert.deepEqual(await Promise.all([leases.leaseFor(3600), leases.leaseFor(3600)]), [1n, 1n]);
    grants.nowMs += 60_000;
    assert.equal(await leases.leaseFor(3600), 1n);
    grants.nowMs += 1;
    assert.equal(await leases.leaseFor(3600), 2n);
    assert.equal(await leases.leaseFor(100), 3n);
    grants.nowMs += 5001;
    assert.equal(await leases.leaseFor(100), 4n);
    assert.deepEqual(grants.ttls, [3660, 3660, 105, 105]);
    assert.deepEqual(grants.counts, [3, 1]);
  });

  it("are shared by keys with different times to live that end at nearly the same time, and by no others", async () => {
    const grants = new Grants();
    const leases = grants.leases();
    assert.equal(await leases.leaseFor(2000), 1n);
    assert.equal(await leases.leaseFor(2060), 1n);
    assert.equal(await leases.leaseFor(2061), 2n);
    assert.equal(await leases.leaseFor(1999), 3n);
    grants.nowMs += 1_000_000;
    assert.equal(await leases.leaseFor(1060), 1n);
  });

  it("are few for a restore of many keys whose times are spread over an hour", async () => {
    const grants = new Grants();
    const leases = grants.leases();
    for (let key = 0; key < 20_000; key++) {
      grants.nowMs += 0.2;
      const ttl = 1800 + ((key * 7919) % 1800);
      const id = await leases.leaseFor(ttl);
      const granted = grants.ttls[Number(id) - 1] as number;
      assert.ok(granted >= ttl && granted <= ttl + 120, `${granted} for ${ttl}`);
    }
    assert.ok(grants.ttls.length < 400, `${grants.ttls.length} leases`);
  });

  it("end one by one when none may be shared, and each takes at most 1000 keys", async () => {
    const alone = new Grants();
    const unshared = alone.leases(0);
    await unshared.leaseFor(100);
    alone.nowMs += 1;
    await unshared.leaseFor(100);
    assert.deepEqual(alone.ttls, [100, 100]);
    const grants = new Grants();
    const leases = grants.leases();
    await Promise.all(Array.from({ length: 1001 }, () => leases.leaseFor(3600)));
    assert.equal(grants.ttls.length, 2);
    assert.deepEqual(grants.counts, [1000]);
  });

  it("are asked for again after etcd has refused one, or knows it no longer", async () => {
    const grants = new Grants();
    const leases = grants.leases();
    grants.failure = new Error("no leader");
    await assert.rejects(leases.leaseFor(3600), /no leader/);
    grants.failure = undefined;
    assert.equal(await leases.leaseFor(3600), 1n);
    leases.forget(1n);
    assert.equal(await leases.leaseFor(3600), 2n);
  });
});
