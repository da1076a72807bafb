import type { EtcdClient } from "./etcd-client.js";
import type { EtcdMetrics } from "./etcd-metrics.js";

/** Limits of v1.29: objects on a lease, and the part of a time to live by which it may be longer. */
const maxObjects = 1000;
const reuseFraction = 0.05;

/** Leases that are remembered for further keys. A restore writes keys whose times are spread over hours. */
const maxRemembered = 1024;

/** A lease that further keys may be put on. */
interface SharedLease {
  /** The time to live for which it was granted, without the extra time. */
  readonly ttl: number;
  readonly expiresAtMs: number;
  readonly granted: Promise<bigint>;
  /** The lease, once it is granted. */
  id: bigint | undefined;
  objects: number;
}

/** Options of the leases of a store. */
export interface LeasesOptions {
  readonly client: Pick<EtcdClient, "api" | "call">;
  /** The most by which a key may live longer (`--lease-reuse-duration-seconds`). */
  readonly reuseSeconds: number;
  readonly metrics?: Pick<EtcdMetrics, "leaseObjects"> | undefined;
  /** A clock in milliseconds that never goes back. */
  readonly now?: () => number;
}

/**
 * Gives keys their leases. Keys that are to end within a while of each other share one: a lease for each Event would be
 * more than etcd can carry. Keys live somewhat longer for that, never shorter.
 */
export class Leases {
  readonly #client: LeasesOptions["client"];
  readonly #metrics: LeasesOptions["metrics"];
  readonly #reuseSeconds: number;
  readonly #now: () => number;
  readonly #remembered = new Set<SharedLease>();

  constructor({ client, reuseSeconds, metrics, now = () => performance.now() }: LeasesOptions) {
    this.#client = client;
    this.#metrics = metrics;
    this.#reuseSeconds = reuseSeconds;
    this.#now = now;
  }

  /** Returns a lease on which a key lives for `ttlSeconds` at least. */
  async leaseFor(ttlSeconds: number): Promise<bigint> {
    const ttl = Math.max(1, Math.ceil(ttlSeconds));
    const extra = Math.min(Math.floor(reuseFraction * ttl), this.#reuseSeconds);
    const lease = this.#fitting(this.#now() + ttl * 1000, extra * 1000) ?? this.#grant(ttl, extra);
    lease.objects++;
    if (lease.objects >= maxObjects) {
      this.#retire(lease);
    }
    return await lease.granted;
  }

  /** Forgets a lease that etcd no longer knows. */
  forget(id: bigint): void {
    for (const lease of this.#remembered) {
      if (lease.id === id) {
        this.#remembered.delete(lease);
      }
    }
  }

  /** Finds a lease that ends at a time or not much later. It may still be on its way from etcd. */
  #fitting(endsAtMs: number, extraMs: number): SharedLease | undefined {
    for (const lease of this.#remembered) {
      if (lease.expiresAtMs >= endsAtMs && lease.expiresAtMs <= endsAtMs + extraMs) {
        return lease;
      }
    }
    return undefined;
  }

  #grant(ttl: number, extra: number): SharedLease {
    const now = this.#now();
    this.#makeRoom(ttl, now);
    // etcd counts from the time at which it gets the request, so it deletes no key before the time that is assumed here.
    const granted = this.#grantNow(ttl + extra);
    const lease: SharedLease = { ttl, expiresAtMs: now + (ttl + extra) * 1000, granted, id: undefined, objects: 0 };
    granted.then(
      (id) => {
        lease.id = id;
      },
      () => this.#remembered.delete(lease),
    );
    this.#remembered.add(lease);
    return lease;
  }

  /** Retires leases that can hardly get further keys: that of the same time to live, those that end, the oldest. */
  #makeRoom(ttl: number, now: number): void {
    for (const lease of this.#remembered) {
      if (lease.ttl === ttl || lease.expiresAtMs <= now) {
        this.#retire(lease);
      }
    }
    const [oldest] = this.#remembered;
    if (oldest !== undefined && this.#remembered.size >= maxRemembered) {
      this.#retire(oldest);
    }
  }

  #retire(lease: SharedLease): void {
    this.#remembered.delete(lease);
    this.#metrics?.leaseObjects(lease.objects);
  }

  /** A lease that is granted twice, since an answer was lost, ends by itself. */
  async #grantNow(ttlSeconds: number): Promise<bigint> {
    const { LeaseGrant } = this.#client.api.lease;
    const { id } = await this.#client.call(LeaseGrant, { ttlSeconds }, { repetition: "read" });
    return id;
  }
}
