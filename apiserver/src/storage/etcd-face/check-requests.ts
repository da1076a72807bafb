import { isUtf8 } from "node:buffer";
import type { DeleteRangeRequest, PutRequest, RangeRequest, RequestOp, TxnRequest } from "../etcd/api/index.js";
import type { KeyInterval } from "../keyspace.js";
import { maxKeyBytes } from "../store.js";
import { etcdErrors, faceErrors } from "./etcd-errors.js";
import { intervalOf, isWithin } from "./key-bounds.js";

/** Throws for a range that is not well formed. */
export function checkRange({ key }: RangeRequest | DeleteRangeRequest): void {
  if (key.length === 0) {
    throw etcdErrors.emptyKey;
  }
}

/** Throws for a put that is not well formed. */
export function checkPut({ key, value, lease, ignoreValue, ignoreLease }: PutRequest): void {
  if (key.length === 0) {
    throw etcdErrors.emptyKey;
  }
  if (ignoreValue && value.length > 0) {
    throw etcdErrors.valueProvided;
  }
  if (ignoreLease && lease !== 0n) {
    throw etcdErrors.leaseProvided;
  }
  if (key.length > maxKeyBytes) {
    throw faceErrors.keyTooLong(maxKeyBytes);
  }
  if (!isUtf8(key)) {
    throw faceErrors.keyNotText;
  }
}

/** Throws for a transaction that is not well formed, or changes a key twice. */
export function checkTxn(request: TxnRequest, maxOperations: number): void {
  checkOperations(request, maxOperations);
  writesOf(request.success);
  writesOf(request.failure);
}

function checkOperations({ compare, success, failure }: TxnRequest, max: number): void {
  const count = Math.max(compare.length, success.length, failure.length);
  if (count > max) {
    throw etcdErrors.tooManyOperations;
  }
  if (compare.some(({ key }) => key.length === 0)) {
    throw etcdErrors.emptyKey;
  }
  for (const operation of [...success, ...failure]) {
    checkOperation(operation, max - count);
  }
}

function checkOperation(operation: RequestOp, max: number): void {
  const { requestRange, requestPut, requestDeleteRange, requestTxn } = operation;
  if (requestRange !== null) {
    checkRange(requestRange);
  } else if (requestPut !== null) {
    checkPut(requestPut);
  } else if (requestDeleteRange !== null) {
    checkRange(requestDeleteRange);
  } else if (requestTxn !== null) {
    checkOperations(requestTxn, max);
  } else {
    throw etcdErrors.keyNotFound;
  }
}

/** The keys that operations write, by their bytes as text, and the ranges that they delete. */
interface Writes {
  readonly puts: Set<string>;
  readonly deletions: KeyInterval[];
}

/** Returns what operations change at any depth. Throws when a key may be changed by two of them. */
function writesOf(operations: readonly RequestOp[]): Writes {
  const deletions: KeyInterval[] = [];
  for (const { requestDeleteRange } of operations) {
    if (requestDeleteRange !== null) {
      deletions.push(intervalOf(requestDeleteRange.key, requestDeleteRange.rangeEnd));
    }
  }
  const puts = new Set<string>();
  for (const { requestTxn } of operations) {
    if (requestTxn !== null) {
      const then = writesOf(requestTxn.success);
      const otherwise = writesOf(requestTxn.failure);
      // The two branches exclude each other, so both may write a key.
      addPuts(puts, new Set([...then.puts, ...otherwise.puts]), deletions);
      deletions.push(...then.deletions, ...otherwise.deletions);
    }
  }
  for (const { requestPut } of operations) {
    if (requestPut !== null) {
      addPuts(puts, new Set([requestPut.key.toString("latin1")]), deletions);
    }
  }
  return { puts, deletions };
}

function addPuts(puts: Set<string>, more: ReadonlySet<string>, deletions: readonly KeyInterval[]): void {
  for (const key of more) {
    const bytes = Buffer.from(key, "latin1");
    if (puts.has(key) || deletions.some((keys) => isWithin(keys, bytes))) {
      throw etcdErrors.duplicateKey;
    }
    puts.add(key);
  }
}
