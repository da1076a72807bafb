import type { MessageInput } from "@gatehouse/component-base/grpc";
import { WireWriter } from "@gatehouse/envelopes/codec";
import type {
  EtcdEvent,
  EtcdKeyValue,
  PutResponse,
  RangeResponse,
  ResponseHeader,
  ResponseOp,
  TxnResponse,
  WatchResponse,
} from "../etcd/api/index.js";

/**
 * Encoders of the answers that come with every request and every change. The library would make objects of the numbers
 * that have 64 bits, four in each header, which costs more than all the rest. Fields are written in descending order
 * (WireWriter), and those with their default value are left out.
 */

/** Returns the wire form of an answer to a put. */
export function encodePutResponse(response: MessageInput<PutResponse>): Buffer {
  const writer = new WireWriter(64);
  writePut(writer, response);
  return writer.finish();
}

/** Returns the wire form of an answer to a range. */
export function encodeRangeResponse(response: MessageInput<RangeResponse>): Buffer {
  const writer = new WireWriter();
  writeRange(writer, response);
  return writer.finish();
}

/** Returns the wire form of an answer to a transaction. */
export function encodeTxnResponse(response: MessageInput<TxnResponse>): Buffer {
  const writer = new WireWriter(256);
  writeTxn(writer, response);
  return writer.finish();
}

/** Returns the wire form of a message of a watch. */
export function encodeWatchResponse(response: MessageInput<WatchResponse>): Buffer {
  const writer = new WireWriter();
  writeAll(writer, 11, response.events, writeEvent);
  writeFlag(writer, 7, response.fragment);
  if (response.cancelReason) {
    writer.string(response.cancelReason);
    tag(writer, 6, 2);
  }
  writeNumber(writer, 5, response.compactRevision);
  writeFlag(writer, 4, response.canceled);
  writeFlag(writer, 3, response.created);
  writeNumber(writer, 2, response.watchId);
  writeMessage(writer, 1, response.header, writeHeader);
  return writer.finish();
}

/** Returns the wire form of a version of a key, in which etcd stores it, too. */
export function encodeKeyValue(kv: MessageInput<EtcdKeyValue>): Buffer {
  const writer = new WireWriter(64);
  writeKeyValue(writer, kv);
  return writer.finish();
}

function writePut(writer: WireWriter, { header, prevKv }: MessageInput<PutResponse>): void {
  writeMessage(writer, 2, prevKv, writeKeyValue);
  writeMessage(writer, 1, header, writeHeader);
}

function writeRange(writer: WireWriter, { header, kvs, more, count }: MessageInput<RangeResponse>): void {
  writeNumber(writer, 4, count);
  writeFlag(writer, 3, more);
  writeAll(writer, 2, kvs, writeKeyValue);
  writeMessage(writer, 1, header, writeHeader);
}

function writeTxn(writer: WireWriter, { header, succeeded, responses }: MessageInput<TxnResponse>): void {
  writeAll(writer, 3, responses, writeOperation);
  writeFlag(writer, 2, succeeded);
  writeMessage(writer, 1, header, writeHeader);
}

function writeOperation(writer: WireWriter, operation: MessageInput<ResponseOp>): void {
  writeMessage(writer, 4, operation.responseTxn, writeTxn);
  writeMessage(writer, 3, operation.responseDeleteRange, (inner, { header, deleted, prevKvs }) => {
    writeAll(inner, 3, prevKvs, writeKeyValue);
    writeNumber(inner, 2, deleted);
    writeMessage(inner, 1, header, writeHeader);
  });
  writeMessage(writer, 2, operation.responsePut, writePut);
  writeMessage(writer, 1, operation.responseRange, writeRange);
}

function writeEvent(writer: WireWriter, { type, kv, prevKv }: MessageInput<EtcdEvent>): void {
  writeMessage(writer, 3, prevKv, writeKeyValue);
  writeMessage(writer, 2, kv, writeKeyValue);
  writeNumber(writer, 1, type);
}

function writeKeyValue(writer: WireWriter, kv: MessageInput<EtcdKeyValue>): void {
  writeIdentifier(writer, 6, kv.lease);
  writeBytes(writer, 5, kv.value);
  writeNumber(writer, 4, kv.version);
  writeNumber(writer, 3, kv.modRevision);
  writeNumber(writer, 2, kv.createRevision);
  writeBytes(writer, 1, kv.key);
}

function writeHeader(writer: WireWriter, header: MessageInput<ResponseHeader>): void {
  writeIdentifier(writer, 4, header.raftTerm);
  writeNumber(writer, 3, header.revision);
  writeIdentifier(writer, 2, header.memberId);
  writeIdentifier(writer, 1, header.clusterId);
}

function writeMessage<T>(
  writer: WireWriter,
  field: number,
  message: T | null | undefined,
  write: (writer: WireWriter, message: T) => void,
): void {
  if (message !== null && message !== undefined) {
    const before = writer.length;
    write(writer, message);
    writer.varint(writer.length - before);
    tag(writer, field, 2);
  }
}

function writeAll<T>(
  writer: WireWriter,
  field: number,
  messages: readonly T[] | undefined,
  write: (writer: WireWriter, message: T) => void,
): void {
  for (let i = (messages?.length ?? 0) - 1; i >= 0; i--) {
    writeMessage(writer, field, messages?.[i], write);
  }
}

function writeNumber(writer: WireWriter, field: number, value: number | undefined): void {
  if (value !== undefined && value !== 0) {
    writer.varint(value);
    tag(writer, field, 0);
  }
}

function writeIdentifier(writer: WireWriter, field: number, value: bigint | undefined): void {
  if (value !== undefined && value !== 0n) {
    writer.varint64(value);
    tag(writer, field, 0);
  }
}

function writeFlag(writer: WireWriter, field: number, value: boolean | undefined): void {
  if (value === true) {
    writer.byte(1);
    tag(writer, field, 0);
  }
}

function writeBytes(writer: WireWriter, field: number, value: Uint8Array | undefined): void {
  if (value !== undefined && value.length > 0) {
    writer.bytes(value);
    tag(writer, field, 2);
  }
}

function tag(writer: WireWriter, field: number, wireType: number): void {
  writer.byte(field * 8 + wireType);
}
