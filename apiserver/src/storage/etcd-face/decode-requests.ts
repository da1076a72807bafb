import { WireReader } from "@gatehouse/envelopes/codec";
import type {
  Compare,
  DeleteRangeRequest,
  PutRequest,
  RangeRequest,
  RequestOp,
  TxnRequest,
} from "../etcd/api/index.js";

/**
 * Decoders of the requests that come often. All throw DecodeError for bytes that are not well formed. Bytes in a request
 * are views of the message, not copies. Fields of another wire type count as unknown, and unknown fields are skipped.
 */

const noBytes = Buffer.alloc(0);

/** Wire types of protobuf, which are the last three bits of a tag. */
const [asVarint, asBlock] = [0, 2] as const;

/** Decodes a request for a range. */
export function decodeRangeRequest(bytes: Buffer): RangeRequest {
  return readRange(new WireReader(bytes), bytes.length);
}

/** Decodes a put. */
export function decodePutRequest(bytes: Buffer): PutRequest {
  return readPut(new WireReader(bytes), bytes.length);
}

/** Decodes a transaction. */
export function decodeTxnRequest(bytes: Buffer): TxnRequest {
  return readTxn(new WireReader(bytes), bytes.length);
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

function readRange(reader: WireReader, end: number): RangeRequest {
  const request: Mutable<RangeRequest> = {
    key: noBytes,
    rangeEnd: noBytes,
    limit: 0,
    revision: 0,
    sortOrder: 0,
    sortTarget: 0,
    serializable: false,
    keysOnly: false,
    countOnly: false,
    minModRevision: 0,
    maxModRevision: 0,
    minCreateRevision: 0,
    maxCreateRevision: 0,
  };
  while (reader.at < end) {
    const tag = reader.tag(end);
    switch (tag) {
      case field(1, asBlock):
        request.key = reader.bytes(end);
        break;
      case field(2, asBlock):
        request.rangeEnd = reader.bytes(end);
        break;
      case field(3, asVarint):
        request.limit = int64(reader, end);
        break;
      case field(4, asVarint):
        request.revision = int64(reader, end);
        break;
      case field(5, asVarint):
        request.sortOrder = reader.int32(end);
        break;
      case field(6, asVarint):
        request.sortTarget = reader.int32(end);
        break;
      case field(7, asVarint):
        request.serializable = flag(reader, end);
        break;
      case field(8, asVarint):
        request.keysOnly = flag(reader, end);
        break;
      case field(9, asVarint):
        request.countOnly = flag(reader, end);
        break;
      case field(10, asVarint):
        request.minModRevision = int64(reader, end);
        break;
      case field(11, asVarint):
        request.maxModRevision = int64(reader, end);
        break;
      case field(12, asVarint):
        request.minCreateRevision = int64(reader, end);
        break;
      case field(13, asVarint):
        request.maxCreateRevision = int64(reader, end);
        break;
      default:
        reader.skip(tag, end);
    }
  }
  return request;
}

function readPut(reader: WireReader, end: number): PutRequest {
  const request: Mutable<PutRequest> = {
    key: noBytes,
    value: noBytes,
    lease: 0n,
    prevKv: false,
    ignoreValue: false,
    ignoreLease: false,
  };
  while (reader.at < end) {
    const tag = reader.tag(end);
    switch (tag) {
      case field(1, asBlock):
        request.key = reader.bytes(end);
        break;
      case field(2, asBlock):
        request.value = reader.bytes(end);
        break;
      case field(3, asVarint):
        request.lease = uint64(reader, end);
        break;
      case field(4, asVarint):
        request.prevKv = flag(reader, end);
        break;
      case field(5, asVarint):
        request.ignoreValue = flag(reader, end);
        break;
      case field(6, asVarint):
        request.ignoreLease = flag(reader, end);
        break;
      default:
        reader.skip(tag, end);
    }
  }
  return request;
}

function readDeleteRange(reader: WireReader, end: number): DeleteRangeRequest {
  const request: Mutable<DeleteRangeRequest> = { key: noBytes, rangeEnd: noBytes, prevKv: false };
  while (reader.at < end) {
    const tag = reader.tag(end);
    switch (tag) {
      case field(1, asBlock):
        request.key = reader.bytes(end);
        break;
      case field(2, asBlock):
        request.rangeEnd = reader.bytes(end);
        break;
      case field(3, asVarint):
        request.prevKv = flag(reader, end);
        break;
      default:
        reader.skip(tag, end);
    }
  }
  return request;
}

/** The last operation that is set counts, as for every choice in protobuf. */
function readOperation(reader: WireReader, end: number): RequestOp {
  let operation = noOperation;
  while (reader.at < end) {
    const tag = reader.tag(end);
    switch (tag) {
      case field(1, asBlock):
        operation = { ...noOperation, requestRange: message(reader, end, readRange) };
        break;
      case field(2, asBlock):
        operation = { ...noOperation, requestPut: message(reader, end, readPut) };
        break;
      case field(3, asBlock):
        operation = { ...noOperation, requestDeleteRange: message(reader, end, readDeleteRange) };
        break;
      case field(4, asBlock):
        operation = { ...noOperation, requestTxn: message(reader, end, readTxn) };
        break;
      default:
        reader.skip(tag, end);
    }
  }
  return operation;
}

const noOperation: RequestOp = { requestRange: null, requestPut: null, requestDeleteRange: null, requestTxn: null };

function readCompare(reader: WireReader, end: number): Compare {
  const none = { version: null, createRevision: null, modRevision: null, value: null, lease: null };
  const compare: Mutable<Compare> = { result: 0, target: 0, key: noBytes, rangeEnd: noBytes, ...none };
  while (reader.at < end) {
    const tag = reader.tag(end);
    switch (tag) {
      case field(1, asVarint):
        compare.result = reader.int32(end);
        break;
      case field(2, asVarint):
        compare.target = reader.int32(end);
        break;
      case field(3, asBlock):
        compare.key = reader.bytes(end);
        break;
      case field(4, asVarint):
        Object.assign(compare, none, { version: int64(reader, end) });
        break;
      case field(5, asVarint):
        Object.assign(compare, none, { createRevision: int64(reader, end) });
        break;
      case field(6, asVarint):
        Object.assign(compare, none, { modRevision: int64(reader, end) });
        break;
      case field(7, asBlock):
        Object.assign(compare, none, { value: reader.bytes(end) });
        break;
      case field(8, asVarint):
        Object.assign(compare, none, { lease: uint64(reader, end) });
        break;
      case field(64, asBlock):
        compare.rangeEnd = reader.bytes(end);
        break;
      default:
        reader.skip(tag, end);
    }
  }
  return compare;
}

function readTxn(reader: WireReader, end: number): TxnRequest {
  const compare: Compare[] = [];
  const success: RequestOp[] = [];
  const failure: RequestOp[] = [];
  while (reader.at < end) {
    const tag = reader.tag(end);
    switch (tag) {
      case field(1, asBlock):
        compare.push(message(reader, end, readCompare));
        break;
      case field(2, asBlock):
        success.push(message(reader, end, readOperation));
        break;
      case field(3, asBlock):
        failure.push(message(reader, end, readOperation));
        break;
      default:
        reader.skip(tag, end);
    }
  }
  return { compare, success, failure };
}

/** Reads a message inside of another one; there is a limit to how deep they may lie. */
function message<T>(reader: WireReader, end: number, read: (reader: WireReader, end: number) => T): T {
  reader.enter();
  const result = read(reader, reader.block(end));
  reader.leave();
  return result;
}

/** Returns the tag of a field. */
function field(number: number, wireType: number): number {
  return number * 8 + wireType;
}

/** Numbers beyond 2^53 are rounded: no revision comes to that. */
function int64(reader: WireReader, end: number): number {
  return Number(reader.int64(end));
}

function uint64(reader: WireReader, end: number): bigint {
  return BigInt.asUintN(64, BigInt(reader.int64(end)));
}

function flag(reader: WireReader, end: number): boolean {
  return reader.varint(end) !== 0;
}
