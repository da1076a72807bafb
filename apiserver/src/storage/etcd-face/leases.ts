import { randomBytes } from "node:crypto";
import type { Keyspace, KeyspaceTransaction, Lease, TransactionOptions } from "../keyspace.js";
import { etcdErrors, faceErrors } from "./etcd-errors.js";

/** The shortest time to live: one and a half times the time of an election with etcd's defaults, in whole seconds. */
const minTtlSeconds = 2;
/** The longest time to live of etcd. */
const maxTtlSeconds = 9_000_000_000;
/** Leases that there may be at a time; each look for expired ones goes through all of them. */
const maxLeases = 65_536;
/** Longest time between two looks at all leases: other processes may have left some. */
const maxSweepMs = 5000;
/** Shortest time between two looks. */
const minSweepMs = 500;

const keeping: TransactionOptions = { bytes: 64, makesSpace: false };
const freeing: TransactionOptions = { bytes: 64, makesSpace: true };

/** The clock and the receiver of errors of leases. */
export interface LeasesOptions {
  readonly keyspace: Keyspace;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called when expired leases could not be ended; it is tried again. */
  readonly onError: (error: unknown) => void;
}

/** The result of a change of leases: the newest revision, and the lease. */
export interface LeaseChanged {
  readonly revision: number;
  readonly ttlSeconds: number;
}

/** Grants, renews and ends leases; those that expire end with their keys, as deletions of one revision. */
export class Leases implements AsyncDisposable {
  readonly #options: LeasesOptions;
  #count = 0;
  #timer: NodeJS.Timeout | undefined;
  #nextSweepAtMs = Number.POSITIVE_INFINITY;
  #sweeping: Promise<void> = Promise.resolve();
  #isClosed = false;

  private constructor(options: LeasesOptions) {
    this.#options = options;
  }

  /** Opens the leases of a store. Each begins its time anew: nobody could renew it while no server was there. */
  static async open(options: LeasesOptions): Promise<Leases> {
    const leases = new Leases(options);
    await leases.#renewAll();
    leases.#sweepBy(options.now() + maxSweepMs);
    return leases;
  }

  /** Grants a lease; `id` 0 lets this server choose. Throws GrpcStatusError. */
  async grant(id: bigint, wantedSeconds: number): Promise<LeaseChanged & { readonly id: bigint }> {
    if (wantedSeconds > maxTtlSeconds) {
      throw etcdErrors.leaseTtlTooLarge;
    }
    if (this.#count >= maxLeases) {
      throw faceErrors.tooManyLeases(maxLeases);
    }
    const ttlSeconds = Math.max(wantedSeconds, minTtlSeconds);
    const lease = id === 0n ? newLeaseId() : id;
    const revision = await this.#options.keyspace.transact(keeping, (transaction) => {
      if (transaction.lease(lease) !== undefined) {
        return undefined;
      }
      transaction.setLease(lease, this.#from(ttlSeconds));
      return transaction.revision;
    });
    if (revision === undefined) {
      throw etcdErrors.leaseExists;
    }
    this.#count++;
    this.#sweepBy(this.#options.now() + ttlSeconds * 1000);
    return { id: lease, ttlSeconds, revision };
  }

  /** Ends a lease and deletes its keys. Throws GrpcStatusError when there is none. */
  async revoke(lease: bigint): Promise<number> {
    const revision = await this.#options.keyspace.transact(freeing, (transaction) =>
      transaction.lease(lease) === undefined ? undefined : end(transaction, lease),
    );
    if (revision === undefined) {
      throw etcdErrors.leaseNotFound;
    }
    this.#count--;
    return revision;
  }

  /** Starts the time of a lease anew; its time to live is 0 when there is none (any more). */
  async keepAlive(lease: bigint): Promise<LeaseChanged> {
    return this.#options.keyspace.transact(keeping, (transaction) => {
      const { revision } = transaction;
      const state = transaction.lease(lease);
      if (state === undefined || state.expiresAtMs <= this.#options.now()) {
        return { revision, ttlSeconds: 0 };
      }
      transaction.setLease(lease, this.#from(state.ttlSeconds));
      return { revision, ttlSeconds: state.ttlSeconds };
    });
  }

  /** Returns a lease and its keys; undefined when there is none. */
  async find(lease: bigint): Promise<{
    readonly revision: number;
    readonly state: Lease | undefined;
    readonly keys: readonly Buffer[];
  }> {
    return this.#options.keyspace.transact(freeing, (transaction) => {
      const state = transaction.lease(lease);
      const keys = state === undefined ? [] : transaction.keysOfLease(lease);
      return { revision: transaction.revision, state, keys };
    });
  }

  /** Ends the leases whose time is over before the next look, after the clock has been set ahead. */
  expireNow(): void {
    this.#sweepBy(this.#options.now());
  }

  /** Returns the seconds that a lease has left. */
  secondsLeft({ expiresAtMs }: Lease): number {
    return Math.max(0, Math.floor((expiresAtMs - this.#options.now()) / 1000));
  }

  /** Returns all leases, the one that expires first at the beginning. */
  async list(): Promise<bigint[]> {
    const leases = await this.#options.keyspace.leases();
    return leases.toSorted((a, b) => a.expiresAtMs - b.expiresAtMs).map(({ lease }) => lease);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#sweeping;
  }

  #from(ttlSeconds: number): Lease {
    return { ttlSeconds, expiresAtMs: this.#options.now() + ttlSeconds * 1000 };
  }

  async #renewAll(): Promise<void> {
    const { keyspace, now } = this.#options;
    const leases = await keyspace.leases();
    this.#count = leases.length;
    await Promise.all(
      leases.map(({ lease }) =>
        keyspace.transact(keeping, (transaction) => {
          const state = transaction.lease(lease);
          if (state !== undefined) {
            transaction.setLease(lease, { ...state, expiresAtMs: now() + state.ttlSeconds * 1000 });
          }
        }),
      ),
    );
  }

  #sweepBy(atMs: number): void {
    if (this.#isClosed || atMs >= this.#nextSweepAtMs) {
      return;
    }
    this.#nextSweepAtMs = atMs;
    clearTimeout(this.#timer);
    const delayMs = Math.min(Math.max(atMs - this.#options.now(), minSweepMs), maxSweepMs);
    this.#timer = setTimeout(() => {
      this.#sweeping = this.#sweep();
    }, delayMs).unref();
  }

  async #sweep(): Promise<void> {
    const { keyspace, now, onError } = this.#options;
    let nextAtMs = now() + maxSweepMs;
    try {
      const leases = await keyspace.leases();
      this.#count = leases.length;
      const expired = leases.filter(({ expiresAtMs }) => expiresAtMs <= now());
      for (const { expiresAtMs } of leases) {
        nextAtMs = Math.min(nextAtMs, Math.max(expiresAtMs, now() + minSweepMs));
      }
      await Promise.all(expired.map(({ lease }) => this.#expire(lease)));
    } catch (error) {
      onError(error);
    }
    this.#nextSweepAtMs = Number.POSITIVE_INFINITY;
    this.#sweepBy(nextAtMs);
  }

  async #expire(lease: bigint): Promise<void> {
    const { keyspace, now } = this.#options;
    await keyspace.transact(freeing, (transaction) => {
      // Another process may have renewed or ended it meanwhile.
      if ((transaction.lease(lease)?.expiresAtMs ?? Number.POSITIVE_INFINITY) <= now()) {
        end(transaction, lease);
      }
    });
  }
}

function end(transaction: KeyspaceTransaction, lease: bigint): number {
  for (const key of transaction.keysOfLease(lease)) {
    transaction.delete(key);
  }
  transaction.removeLease(lease);
  return transaction.revision;
}

/** Returns a number that no other lease has: positive as a signed integer of 64 bits. */
function newLeaseId(): bigint {
  return (randomBytes(8).readBigUInt64BE() & 0x7fff_ffff_ffff_ffffn) | 1n;
}
