import type { MessageInput } from "@gatehouse/component-base/grpc";
import { type GrpcRoute, GrpcStatusError, unaryRoute } from "@gatehouse/component-base/grpc-server";
import type {
  CompactionRequest,
  CompactionResponse,
  DeleteRangeRequest,
  DeleteRangeResponse,
  KvService,
  PutRequest,
  PutResponse,
  RangeRequest,
  RangeResponse,
  RequestOp,
  TxnRequest,
  TxnResponse,
} from "../etcd/api/index.js";
import type { Keyspace, KeyspaceTransaction, TransactionOptions } from "../keyspace.js";
import type { Store } from "../store.js";
import { AppliedTxn, applyDelete, applyPut, checkSinglePut, checkSize } from "./apply-txn.js";
import { checkPut, checkRange, checkTxn } from "./check-requests.js";
import { decodePutRequest, decodeRangeRequest, decodeTxnRequest } from "./decode-requests.js";
import { encodePutResponse, encodeRangeResponse, encodeTxnResponse } from "./encode-answers.js";
import { etcdErrors, orStatus, statusOfError } from "./etcd-errors.js";
import { headerOf, type Identity } from "./headers.js";
import { keysWanted, rangeAnswer } from "./range-answer.js";

/** The store behind the service, and its identity. */
export interface KvServiceParts {
  readonly keyspace: Keyspace;
  readonly store: Pick<Store, "compact">;
  readonly identity: Identity;
  /** Largest keys and values of a request in bytes. */
  readonly maxRequestBytes: number;
  /** Most operations of a transaction. */
  readonly maxTxnOperations: number;
}

/** Makes the routes of etcd's KV service. */
export function kvRoutes(api: KvService, parts: KvServiceParts): GrpcRoute[] {
  const rangeMethod = {
    ...api.Range,
    requestDeserialize: decodeRangeRequest,
    responseSerialize: encodeRangeResponse,
  };
  const putMethod = { ...api.Put, requestDeserialize: decodePutRequest, responseSerialize: encodePutResponse };
  const txnMethod = { ...api.Txn, requestDeserialize: decodeTxnRequest, responseSerialize: encodeTxnResponse };
  return [
    unaryRoute(rangeMethod, (request) => range(parts, request)),
    unaryRoute(putMethod, (request) => put(parts, request)),
    unaryRoute(api.DeleteRange, (request) => deleteRange(parts, request)),
    unaryRoute(txnMethod, (request) => txn(parts, request)),
    unaryRoute(api.Compact, (request) => compact(parts, request)),
  ];
}

async function range(
  { keyspace, identity }: KvServiceParts,
  request: RangeRequest,
): Promise<MessageInput<RangeResponse>> {
  checkRange(request);
  const found = await orStatus(keyspace.find(keysWanted(request)));
  return rangeAnswer(request, found, headerOf(identity, found.newestRevision));
}

function put(parts: KvServiceParts, request: PutRequest): Promise<MessageInput<PutResponse>> {
  checkPut(request);
  const bytes = request.key.length + request.value.length;
  return write(parts, { bytes, makesSpace: false }, (transaction) => {
    checkSinglePut(transaction, request);
    return applyPut(transaction, request);
  });
}

function deleteRange(parts: KvServiceParts, request: DeleteRangeRequest): Promise<MessageInput<DeleteRangeResponse>> {
  checkRange(request);
  return write(parts, { bytes: request.key.length, makesSpace: true }, (transaction) => {
    checkSize(transaction, request);
    return applyDelete(transaction, request);
  });
}

function txn(parts: KvServiceParts, request: TxnRequest): Promise<MessageInput<TxnResponse>> {
  checkTxn(request, parts.maxTxnOperations);
  const bytes = bytesOf(request.success) + bytesOf(request.failure);
  return write(parts, { bytes, makesSpace: bytes === 0 }, (transaction) => {
    const applied = new AppliedTxn(transaction);
    applied.prepare(request);
    return applied.apply(request);
  });
}

async function compact(
  { keyspace, store, identity }: KvServiceParts,
  { revision }: CompactionRequest,
): Promise<MessageInput<CompactionResponse>> {
  const [newest, compacted] = [await orStatus(keyspace.currentRevision()), await orStatus(keyspace.compactRevision())];
  if (revision <= compacted && compacted > 0) {
    throw etcdErrors.compacted;
  }
  if (revision > newest) {
    throw etcdErrors.futureRevision;
  }
  await orStatus(store.compact(revision));
  return { header: headerOf(identity, newest) };
}

/**
 * Runs a write, which returns its refusals instead of throwing them: what it throws would undo the writes beside it. There
 * is one promise beside that of the store, because each costs every write.
 */
function write<T extends object>(
  { keyspace, identity, maxRequestBytes }: KvServiceParts,
  options: TransactionOptions,
  work: (transaction: KeyspaceTransaction) => T,
): Promise<T> {
  if (options.bytes > maxRequestBytes) {
    throw etcdErrors.requestTooLarge;
  }
  const written = keyspace.transact(options, (transaction) => {
    const before = transaction.revision;
    try {
      return { ...work(transaction), header: headerOf(identity, transaction.revision) };
    } catch (error) {
      if (error instanceof GrpcStatusError && transaction.revision === before) {
        return error;
      }
      throw error;
    }
  });
  return written.then(answerOf, throwStatus);
}

function answerOf<T>(outcome: T | GrpcStatusError): T {
  if (outcome instanceof GrpcStatusError) {
    throw outcome;
  }
  return outcome;
}

function throwStatus(error: unknown): never {
  throw statusOfError(error);
}

/** Returns roughly the size of what operations write. */
function bytesOf(operations: readonly RequestOp[]): number {
  let bytes = 0;
  for (const { requestPut, requestTxn } of operations) {
    bytes += requestPut === null ? 0 : requestPut.key.length + requestPut.value.length;
    bytes += requestTxn === null ? 0 : bytesOf(requestTxn.success) + bytesOf(requestTxn.failure);
  }
  return bytes;
}
