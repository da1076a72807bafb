import type { StoreEvent, WatchBatch } from "../store.js";
import type { EtcdClient } from "./etcd-client.js";

/** Leases whose times are remembered; a page of Events has far fewer. */
const maxRemembered = 1000;
/** A time is asked for again after this many milliseconds: a lease can be kept alive. */
const rememberedMs = 1000;

interface LeaseTime {
  readonly askedAtMs: number;
  readonly expiresAtMs: Promise<number>;
}

/** Tells when leases end, for those who copy keys. */
export class LeaseTimes {
  readonly #client: EtcdClient;
  readonly #times = new Map<bigint, LeaseTime>();

  constructor(client: EtcdClient) {
    this.#client = client;
  }

  /** Returns the time at which a lease ends, in milliseconds since 1970; a time in the past when it has ended. */
  async expiresAtMs(lease: bigint): Promise<number> {
    const now = performance.now();
    const known = this.#times.get(lease);
    if (known !== undefined && now - known.askedAtMs < rememberedMs) {
      return await known.expiresAtMs;
    }
    const oldest = this.#times.keys().next();
    if (this.#times.size >= maxRemembered && oldest.done !== true) {
      this.#times.delete(oldest.value);
    }
    const expiresAtMs = this.#ask(lease);
    this.#times.set(lease, { askedAtMs: now, expiresAtMs });
    return await expiresAtMs;
  }

  /** Returns a batch whose puts, and whose deleted keys, have their expiry times. */
  async complete(batch: WatchBatch): Promise<WatchBatch> {
    const events = await Promise.all(batch.events.map((event) => this.#completeEvent(event)));
    return { ...batch, events };
  }

  async #completeEvent(event: StoreEvent): Promise<StoreEvent> {
    const { lease } = event as LeasedEvent;
    if (lease === undefined) {
      return event;
    }
    const expiresAtMs = await this.expiresAtMs(lease);
    return event.type === "put"
      ? { ...event, expiresAtMs }
      : { ...event, previous: { ...event.previous, expiresAtMs } };
  }

  async #ask(id: bigint): Promise<number> {
    const { LeaseTimeToLive } = this.#client.api.lease;
    const { ttlSeconds } = await this.#client.call(LeaseTimeToLive, { id }, { repetition: "read" });
    return Math.max(1, Date.now() + ttlSeconds * 1000);
  }
}

/** A change in this store, with the lease of the key when it has one, or had one before it was deleted. */
export type LeasedEvent = StoreEvent & { readonly lease?: bigint };
