import { compareTarget } from "./api/kv.js";

/** A write of one key, if the key has the expected revision. */
export interface ConditionalWrite {
  readonly key: Buffer;
  /** 0: the key must not exist. */
  readonly expectedRevision: number;
  /** The new value; undefined for a deletion. */
  readonly value: Buffer | undefined;
  /** 0n for none. */
  readonly lease: bigint;
}

const varint = 0;
const bytes = 2;
/** Field numbers of etcd's API. */
const field = {
  txn: { compare: 1, success: 2, failure: 3 },
  compare: { target: 2, key: 3, modRevision: 6 },
  operation: { range: 1, put: 2, deleteRange: 3 },
  put: { key: 1, value: 2, lease: 3 },
  key: 1,
} as const;

/**
 * Writes a TxnRequest: compare the revision, then write; else read the key. This is the one message of which every write
 * makes one, so it is written by hand, into memory that is used again: values can be large, and garbage is not free.
 */
export function encodeConditionalWrite(write: ConditionalWrite, allocate: (length: number) => Buffer): Buffer {
  const { key, expectedRevision, value, lease } = write;
  const keyLength = fieldLength(key.length);
  const compare = 2 + keyLength + 1 + varintLength(expectedRevision);
  const leaseLength = lease === 0n ? 0 : 1 + bigVarintLength(lease);
  const change = keyLength + (value === undefined ? 0 : fieldLength(value.length)) + leaseLength;
  const success = fieldLength(change);
  const failure = fieldLength(keyLength);
  const length = fieldLength(compare) + fieldLength(success) + fieldLength(failure);
  const target = new Target(allocate(length));
  target.begin(field.txn.compare, compare);
  target.number(field.compare.target, compareTarget.mod);
  target.bytes(field.compare.key, key);
  target.number(field.compare.modRevision, expectedRevision);
  target.begin(field.txn.success, success);
  target.begin(value === undefined ? field.operation.deleteRange : field.operation.put, change);
  target.bytes(field.key, key);
  if (value !== undefined) {
    target.bytes(field.put.value, value);
  }
  if (lease !== 0n) {
    target.big(field.put.lease, lease);
  }
  target.begin(field.txn.failure, failure);
  target.begin(field.operation.range, keyLength);
  target.bytes(field.key, key);
  return target.buffer.length === length ? target.buffer : target.buffer.subarray(0, length);
}

/** Memory that is written from the start. */
class Target {
  readonly buffer: Buffer;
  #at = 0;

  constructor(buffer: Buffer) {
    this.buffer = buffer;
  }

  begin(number: number, length: number): void {
    this.buffer[this.#at++] = (number << 3) | bytes;
    this.#varint(length);
  }

  bytes(number: number, value: Buffer): void {
    this.begin(number, value.length);
    value.copy(this.buffer, this.#at);
    this.#at += value.length;
  }

  number(number: number, value: number): void {
    this.buffer[this.#at++] = (number << 3) | varint;
    this.#varint(value);
  }

  big(number: number, value: bigint): void {
    this.buffer[this.#at++] = (number << 3) | varint;
    let rest = BigInt.asUintN(64, value);
    for (; rest > 0x7fn; rest >>= 7n) {
      this.buffer[this.#at++] = Number(rest & 0x7fn) | 0x80;
    }
    this.buffer[this.#at++] = Number(rest);
  }

  #varint(value: number): void {
    let rest = value;
    for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) {
      this.buffer[this.#at++] = (rest % 0x80) | 0x80;
    }
    this.buffer[this.#at++] = rest;
  }
}

/** Returns the length of a field of `length` bytes with its tag of one byte. */
function fieldLength(length: number): number {
  return 1 + varintLength(length) + length;
}

function varintLength(value: number): number {
  let length = 1;
  for (let rest = value; rest > 0x7f; rest = Math.floor(rest / 0x80)) {
    length++;
  }
  return length;
}

function bigVarintLength(value: bigint): number {
  let length = 1;
  for (let rest = BigInt.asUintN(64, value); rest > 0x7fn; rest >>= 7n) {
    length++;
  }
  return length;
}
