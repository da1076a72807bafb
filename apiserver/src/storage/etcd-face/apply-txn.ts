import type { MessageInput } from "@gatehouse/component-base/grpc";
import {
  type Compare,
  compareResult,
  compareTarget,
  type DeleteRangeRequest,
  type DeleteRangeResponse,
  type PutRequest,
  type PutResponse,
  type RangeRequest,
  type RequestOp,
  type ResponseOp,
  type TxnRequest,
  type TxnResponse,
} from "../etcd/api/index.js";
import type { KeyspaceTransaction, KeyVersion } from "../keyspace.js";
import { maxKeyBytes } from "../store.js";
import { etcdErrors, faceErrors } from "./etcd-errors.js";
import { innerHeader, keyValueOf } from "./headers.js";
import { intervalOf } from "./key-bounds.js";
import { keysWanted, rangeAnswer } from "./range-answer.js";

/** Keys that one operation of a transaction may read or delete: transactions run on the event loop in one go. */
const maxTransactionKeys = 16_384;

/**
 * One transaction of etcd inside of one of the keyspace. Everything is decided and checked first, and throws
 * GrpcStatusError; then it is carried out, and nothing throws any more.
 */
export class AppliedTxn {
  readonly #transaction: KeyspaceTransaction;
  readonly #branches = new Map<TxnRequest, boolean>();

  constructor(transaction: KeyspaceTransaction) {
    this.#transaction = transaction;
  }

  /** Decides which branches run, and checks them against the data. */
  prepare(request: TxnRequest): void {
    this.#choose(request);
    this.#check(request);
  }

  /** Carries out the chosen branches; their answers have no header but the revision. */
  apply(request: TxnRequest): MessageInput<TxnResponse> {
    const responses = this.#chosen(request).map((operation) => this.#answer(operation));
    const succeeded = this.#branches.get(request) === true;
    return { header: null, succeeded, responses };
  }

  #choose(request: TxnRequest): void {
    this.#branches.set(
      request,
      request.compare.every((compare) => this.#holds(compare)),
    );
    for (const { requestTxn } of this.#chosen(request)) {
      if (requestTxn !== null) {
        this.#choose(requestTxn);
      }
    }
  }

  #chosen(request: TxnRequest): readonly RequestOp[] {
    return this.#branches.get(request) === true ? request.success : request.failure;
  }

  #check(request: TxnRequest): void {
    // Puts before ranges, as etcd does: when both are wrong, the put is what the client hears of.
    this.#each(request, ({ requestPut, requestDeleteRange }) => {
      if (requestPut !== null) {
        checkPutOfTxn(this.#transaction, requestPut);
      } else if (requestDeleteRange !== null) {
        checkSize(this.#transaction, requestDeleteRange);
      }
    });
    this.#each(request, ({ requestRange }) => {
      if (requestRange !== null) {
        this.#checkRange(requestRange);
      }
    });
  }

  #each(request: TxnRequest, check: (operation: RequestOp) => void): void {
    for (const operation of this.#chosen(request)) {
      if (operation.requestTxn === null) {
        check(operation);
      } else {
        this.#each(operation.requestTxn, check);
      }
    }
  }

  #checkRange(request: RangeRequest): void {
    const { revision: newest, compactRevision } = this.#transaction;
    if (request.revision > newest) {
      throw etcdErrors.futureRevision;
    }
    if (request.revision !== 0 && request.revision < compactRevision) {
      throw etcdErrors.compacted;
    }
    checkSize(this.#transaction, request);
  }

  #answer(operation: RequestOp): MessageInput<ResponseOp> {
    const { requestRange, requestPut, requestDeleteRange, requestTxn } = operation;
    const transaction = this.#transaction;
    if (requestRange !== null) {
      const found = transaction.find(keysWanted(requestRange));
      return { responseRange: rangeAnswer(requestRange, found, innerHeader(transaction.revision)) };
    }
    if (requestPut !== null) {
      const response = applyPut(transaction, requestPut);
      return { responsePut: { ...response, header: innerHeader(transaction.revision) } };
    }
    if (requestDeleteRange !== null) {
      const response = applyDelete(transaction, requestDeleteRange);
      return { responseDeleteRange: { ...response, header: innerHeader(transaction.revision) } };
    }
    const response = requestTxn === null ? {} : this.apply(requestTxn);
    // etcd leaves the header of a nested transaction empty.
    return { responseTxn: { ...response, header: {} } };
  }

  #holds(compare: Compare): boolean {
    const { key, rangeEnd } = compare;
    if (rangeEnd.length === 0) {
      const kv = key.length > maxKeyBytes ? undefined : this.#transaction.get(key);
      return kv === undefined ? holdsWithoutKey(compare) : holdsFor(compare, kv);
    }
    const found = this.#transaction.find({
      keys: intervalOf(key, rangeEnd),
      limit: maxTransactionKeys,
      countsAll: false,
    });
    if (found.count > maxTransactionKeys) {
      throw faceErrors.tooManyKeys(maxTransactionKeys);
    }
    return found.kvs.length === 0 ? holdsWithoutKey(compare) : found.kvs.every((kv) => holdsFor(compare, kv));
  }
}

/** Throws when a put of a transaction cannot be carried out. etcd looks for the key first here. */
function checkPutOfTxn(transaction: KeyspaceTransaction, request: PutRequest): void {
  checkKeyOf(transaction, request);
  checkLeaseOf(transaction, request);
}

/** Throws when a put by itself cannot be carried out. etcd looks for the lease first here. */
export function checkSinglePut(transaction: KeyspaceTransaction, request: PutRequest): void {
  checkLeaseOf(transaction, request);
  checkKeyOf(transaction, request);
}

function checkKeyOf(transaction: KeyspaceTransaction, { key, ignoreValue, ignoreLease }: PutRequest): void {
  if ((ignoreValue || ignoreLease) && transaction.get(key) === undefined) {
    throw etcdErrors.keyNotFound;
  }
}

function checkLeaseOf(transaction: KeyspaceTransaction, { lease }: PutRequest): void {
  if (lease !== 0n && transaction.lease(lease) === undefined) {
    throw etcdErrors.leaseNotFound;
  }
}

/** Carries out a put that has been checked. */
export function applyPut(transaction: KeyspaceTransaction, request: PutRequest): MessageInput<PutResponse> {
  const { key, value, lease, prevKv, ignoreValue, ignoreLease } = request;
  const previous = prevKv || ignoreValue || ignoreLease ? transaction.get(key) : undefined;
  transaction.put(
    key,
    ignoreValue ? (previous?.value ?? value) : value,
    ignoreLease ? (previous?.lease ?? lease) : lease,
  );
  return { prevKv: prevKv && previous !== undefined ? keyValueOf(previous) : null };
}

/** Throws when a range has too many keys for a transaction. */
export function checkSize(transaction: KeyspaceTransaction, request: RangeRequest | DeleteRangeRequest): void {
  const { key, rangeEnd } = request;
  if (rangeEnd.length > 0) {
    const found = transaction.find({ keys: intervalOf(key, rangeEnd), limit: 0, countsAll: true });
    if (found.count > maxTransactionKeys) {
      throw faceErrors.tooManyKeys(maxTransactionKeys);
    }
  }
}

/** Carries out a deletion that has been checked. */
export function applyDelete(
  transaction: KeyspaceTransaction,
  request: DeleteRangeRequest,
): MessageInput<DeleteRangeResponse> {
  const { key, rangeEnd, prevKv } = request;
  const limit = Number.POSITIVE_INFINITY;
  const { kvs } = transaction.find({ keys: intervalOf(key, rangeEnd), limit, countsAll: false });
  for (const kv of kvs) {
    transaction.delete(Buffer.from(kv.key));
  }
  return { deleted: kvs.length, prevKvs: prevKv ? kvs.map(keyValueOf) : [] };
}

/** The facts of a key that does not exist; comparing its value always fails. */
function holdsWithoutKey(compare: Compare): boolean {
  const none = { key: "", value: Buffer.alloc(0), createRevision: 0, modRevision: 0, version: 0, lease: 0n };
  return compare.target !== compareTarget.value && holdsFor(compare, none);
}

function holdsFor(compare: Compare, kv: KeyVersion): boolean {
  const order = orderOf(compare, kv);
  switch (compare.result) {
    case compareResult.equal:
      return order === 0;
    case compareResult.notEqual:
      return order !== 0;
    case compareResult.greater:
      return order > 0;
    case compareResult.less:
      return order < 0;
    default:
      return true;
  }
}

/** Returns how the fact of the key stands to the wanted one: below 0, 0 or above 0. */
function orderOf(compare: Compare, kv: KeyVersion): number {
  switch (compare.target) {
    case compareTarget.version:
      return kv.version - (compare.version ?? 0);
    case compareTarget.create:
      return kv.createRevision - (compare.createRevision ?? 0);
    case compareTarget.mod:
      return kv.modRevision - (compare.modRevision ?? 0);
    case compareTarget.value:
      return Buffer.compare(kv.value, compare.value ?? Buffer.alloc(0));
    case compareTarget.lease: {
      const difference = BigInt.asIntN(64, kv.lease) - BigInt.asIntN(64, compare.lease ?? 0n);
      return difference === 0n ? 0 : difference > 0n ? 1 : -1;
    }
    default:
      return 0;
  }
}
