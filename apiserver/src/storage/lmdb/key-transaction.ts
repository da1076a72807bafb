import { finishSteps } from "@gatehouse/envelopes/scheduling";
import type { KeysFound, KeyspaceTransaction, KeysWanted, KeyVersion, Lease } from "../keyspace.js";
import { encodeLease, encodeLeaseKey } from "./layout.js";
import type { OperationGroup } from "./operations.js";
import { foundKeys, readSteps } from "./range.js";
import { writeDelete, writePut } from "./write-change.js";

/** Largest number of a lease. */
const lastLease = 2n ** 64n - 1n;

/** A transaction of the keyspace as a part of a group of operations. */
export class KeyTransaction implements KeyspaceTransaction {
  readonly #group: OperationGroup;
  #changes = 0;
  #hasChanged = false;

  constructor(group: OperationGroup) {
    this.#group = group;
  }

  /** True if something has been written. */
  get hasChanged(): boolean {
    return this.#hasChanged;
  }

  get revision(): number {
    return this.#group.state.revision;
  }

  get compactRevision(): number {
    return this.#group.state.compactRevision;
  }

  get(key: Buffer): KeyVersion | undefined {
    const head = this.#group.reader.head(key);
    return head === undefined ? undefined : this.#group.reader.keyVersion(key.toString(), head.modRevision);
  }

  find(wanted: KeysWanted): KeysFound {
    const reader = this.#group.reader;
    // The state on disk is that of before the transaction, whose own changes are in the tables already.
    const { revision = this.revision } = wanted;
    const steps = readSteps(
      reader,
      { ...wanted, revision },
      (key, at) => reader.keyVersion(key, at.modRevision),
      this.#group.state,
    );
    return foundKeys(finishSteps(steps));
  }

  put(keyBytes: Buffer, value: Buffer, lease: bigint): void {
    const reader = this.#group.reader;
    const key = keyBytes.toString();
    const head = reader.head(keyBytes);
    const previous =
      head === undefined || this.#group.events === undefined ? undefined : reader.keyVersion(key, head.modRevision);
    const place = this.#nextPlace();
    writePut(this.#group, this.revision, place, { key, keyBytes, value, head, previous, expiresAtMs: 0, lease });
  }

  delete(keyBytes: Buffer): boolean {
    const reader = this.#group.reader;
    const head = reader.head(keyBytes);
    if (head === undefined) {
      return false;
    }
    const key = keyBytes.toString();
    const previous = this.#group.events === undefined ? undefined : reader.keyVersion(key, head.modRevision);
    const place = this.#nextPlace();
    writeDelete(this.#group, this.revision, place, { key, keyBytes, head, previous });
    return true;
  }

  lease(lease: bigint): Lease | undefined {
    return this.#group.reader.lease(lease);
  }

  setLease(lease: bigint, state: Lease): void {
    this.#hasChanged = true;
    this.#group.writes.put("leases", encodeLeaseKey(lease), encodeLease(state));
  }

  removeLease(lease: bigint): void {
    this.#hasChanged = true;
    this.#group.writes.remove("leases", encodeLeaseKey(lease));
  }

  keysOfLease(lease: bigint): Buffer[] {
    const start = encodeLeaseKey(lease);
    const range = { start, ...(lease === lastLease ? {} : { end: encodeLeaseKey(lease + 1n) }) };
    const keys: Buffer[] = [];
    for (const entry of this.#group.reader.entries("leased", range)) {
      const key = Buffer.from(entry.key.subarray(start.length));
      if (this.#group.reader.head(key)?.lease === lease) {
        keys.push(key);
      }
    }
    return keys;
  }

  /** Returns the place of the next change; the first one gets a revision for all. */
  #nextPlace(): number {
    this.#hasChanged = true;
    if (this.#changes === 0) {
      this.#group.state.revision++;
    }
    return this.#changes++;
  }
}
