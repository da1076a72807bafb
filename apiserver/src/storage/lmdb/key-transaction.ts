import { finishSteps } from "@gatehouse/envelopes/scheduling";
import type { KeyChange, KeysFound, KeyspaceTransaction, KeysWanted, KeyVersion, Lease } from "../keyspace.js";
import { encodeLease, encodeLeaseKey, type StoreState } from "./layout.js";
import { foundKeys, readSteps } from "./range.js";
import type { Reader } from "./reader.js";
import { type ChangePlace, writeDelete, writePut } from "./write-change.js";

/** Largest number of a lease. */
const lastLease = 2n ** 64n - 1n;

/** A transaction of the keyspace inside a write transaction of the environment. */
export class KeyTransaction implements KeyspaceTransaction {
  readonly #reader: Reader;
  readonly #state: StoreState;
  readonly #events: KeyChange[] | undefined;
  #changes = 0;
  #hasChanged = false;

  constructor(reader: Reader, state: StoreState, events: KeyChange[] | undefined) {
    this.#reader = reader;
    this.#state = state;
    this.#events = events;
  }

  /** True if something has been written. */
  get hasChanged(): boolean {
    return this.#hasChanged;
  }

  get revision(): number {
    return this.#state.revision;
  }

  get compactRevision(): number {
    return this.#state.compactRevision;
  }

  get(key: Buffer): KeyVersion | undefined {
    const head = this.#reader.head(key);
    return head === undefined ? undefined : this.#reader.keyVersion(key.toString(), head.modRevision);
  }

  find(wanted: KeysWanted): KeysFound {
    const reader = this.#reader;
    // The state on disk is that of before the transaction, whose own changes are in the tables already.
    const { revision = this.revision } = wanted;
    const steps = readSteps(
      reader,
      { ...wanted, revision },
      (key, at) => reader.keyVersion(key, at.modRevision),
      this.#state,
    );
    return foundKeys(finishSteps(steps));
  }

  put(keyBytes: Buffer, value: Buffer, lease: bigint): void {
    const reader = this.#reader;
    const key = keyBytes.toString();
    const head = reader.head(keyBytes);
    const previous =
      head === undefined || this.#events === undefined ? undefined : reader.keyVersion(key, head.modRevision);
    writePut(this.#nextPlace(), { key, keyBytes, value, head, previous, expiresAtMs: 0, lease });
  }

  delete(keyBytes: Buffer): boolean {
    const reader = this.#reader;
    const head = reader.head(keyBytes);
    if (head === undefined) {
      return false;
    }
    const key = keyBytes.toString();
    const previous = this.#events === undefined ? undefined : reader.keyVersion(key, head.modRevision);
    writeDelete(this.#nextPlace(), { key, keyBytes, head, previous });
    return true;
  }

  lease(lease: bigint): Lease | undefined {
    return this.#reader.lease(lease);
  }

  setLease(lease: bigint, state: Lease): void {
    this.#hasChanged = true;
    this.#reader.tables.leases.putSync(encodeLeaseKey(lease), encodeLease(state));
  }

  removeLease(lease: bigint): void {
    this.#hasChanged = true;
    this.#reader.tables.leases.removeSync(encodeLeaseKey(lease));
  }

  keysOfLease(lease: bigint): Buffer[] {
    const start = encodeLeaseKey(lease);
    const range = { start, ...(lease === lastLease ? {} : { end: encodeLeaseKey(lease + 1n) }) };
    const keys: Buffer[] = [];
    for (const entry of this.#reader.tables.leased.getKeys(range)) {
      const key = Buffer.from(entry.subarray(start.length));
      if (this.#reader.head(key)?.lease === lease) {
        keys.push(key);
      }
    }
    return keys;
  }

  #nextPlace(): ChangePlace {
    const place = this.#changes++;
    this.#hasChanged = true;
    const revision = place === 0 ? ++this.#state.revision : this.#state.revision;
    return { reader: this.#reader, revision, place, events: this.#events };
  }
}
