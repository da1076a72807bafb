import type { EtcdClient } from "./etcd-client.js";
import type { EtcdMetrics } from "./etcd-metrics.js";

/** Limits of v1.29: objects on a lease, and the part of a time to live by which it may be longer. */
const maxObjects = 1000;
const reuseFraction = 0.05;

/** Times to live whose newest lease is remembered. */
const maxSlots = 32;

interface Slot {
  id: bigint;
  expiresAtMs: number;
  objects: number;
}

/**
 * Gives keys their leases. Keys that are written within a while of each other, with the same time to live, share one: a
 * lease for each Event would be more than etcd can carry. Keys live somewhat longer for that, never shorter.
 */
export class Leases {
  readonly #client: EtcdClient;
  readonly #metrics: EtcdMetrics | undefined;
  readonly #reuseSeconds: number;
  readonly #slots = new Map<number, Slot | Promise<Slot>>();

  /** `reuseSeconds` is the most by which a key may live longer (`--lease-reuse-duration-seconds`). */
  constructor(client: EtcdClient, reuseSeconds: number, metrics?: EtcdMetrics) {
    this.#client = client;
    this.#metrics = metrics;
    this.#reuseSeconds = reuseSeconds;
  }

  /** Returns a lease on which a key lives for `ttlSeconds` at least. */
  async leaseFor(ttlSeconds: number): Promise<bigint> {
    const ttl = Math.max(1, Math.ceil(ttlSeconds));
    const endsAtMs = performance.now() + ttl * 1000;
    for (;;) {
      const slot = await (this.#slots.get(ttl) ?? this.#grant(ttl));
      if (slot.objects < maxObjects && endsAtMs <= slot.expiresAtMs) {
        slot.objects++;
        return slot.id;
      }
      if (this.#slots.get(ttl) === slot) {
        this.#slots.delete(ttl);
        this.#metrics?.leaseObjects(slot.objects);
      }
    }
  }

  /** Forgets a lease that etcd no longer knows. */
  forget(id: bigint): void {
    for (const [ttl, slot] of this.#slots) {
      if (!(slot instanceof Promise) && slot.id === id) {
        this.#slots.delete(ttl);
      }
    }
  }

  #grant(ttl: number): Promise<Slot> {
    const granted = this.#grantNow(ttl).then(
      (slot) => {
        this.#slots.set(ttl, slot);
        return slot;
      },
      (error: unknown) => {
        this.#slots.delete(ttl);
        throw error;
      },
    );
    const oldest = this.#slots.keys().next();
    if (this.#slots.size >= maxSlots && oldest.done !== true) {
      this.#slots.delete(oldest.value);
    }
    this.#slots.set(ttl, granted);
    return granted;
  }

  /** A lease that is granted twice, since an answer was lost, ends by itself. */
  async #grantNow(ttl: number): Promise<Slot> {
    const extra = Math.min(Math.floor(reuseFraction * ttl), this.#reuseSeconds);
    const askedAtMs = performance.now();
    const request = { ttlSeconds: ttl + extra };
    const { id, ttlSeconds } = await this.#client.call(this.#client.api.lease.LeaseGrant, request, {
      repetition: "read",
    });
    return { id, expiresAtMs: askedAtMs + ttlSeconds * 1000, objects: 0 };
  }
}
