import { DecodeError } from "../errors.js";
import { WireReader } from "./wire-reader.js";
import { WireWriter } from "./wire-writer.js";

/** The type of a protobuf message, which stands outside it. */
export interface TypeMeta {
  readonly apiVersion: string;
  readonly kind: string;
}

/** runtime.Unknown: an object of any kind, not yet looked into. */
export interface Unknown extends TypeMeta {
  /** A view of the bytes it came from. */
  readonly raw: Buffer;
  readonly contentEncoding: string;
  readonly contentType: string;
}

/** The four bytes before every object in protobuf: `k8s` and a zero. */
const prefix = Buffer.from([0x6b, 0x38, 0x73, 0x00]);

/** Reports whether bytes start with the prefix of an envelope. */
export function isEnveloped(bytes: Uint8Array): boolean {
  return bytes.length >= 4 && prefix.every((byte, index) => bytes[index] === byte);
}

/** Returns prefix and runtime.Unknown around a message. A WatchEvent has empty type names. */
export function wrapUnknown(apiVersion: string, kind: string, raw: Uint8Array): Buffer {
  const { head, tail } = envelopeAround(apiVersion, kind, raw.length);
  return Buffer.concat([head, raw, tail]);
}

/**
 * Returns the bytes before and behind a message of `rawLength` bytes in an envelope, for messages that come in pieces.
 */
export function envelopeAround(
  apiVersion: string,
  kind: string,
  rawLength: number,
): { readonly head: Buffer; readonly tail: Buffer } {
  // Written from the end, as all protobuf is here.
  const writer = new WireWriter(apiVersion.length + kind.length + 32);
  writer.varint(rawLength);
  writer.byte(0x12);
  const end = writer.length;
  writer.string(kind);
  writer.byte(0x12);
  writer.string(apiVersion);
  writer.byte(0x0a);
  writer.varint(writer.length - end);
  writer.byte(0x0a);
  writer.raw(prefix);
  return { head: writer.finish(), tail: noContentMarks };
}

/** The encoded contentEncoding and contentType, always there and empty. */
const noContentMarks = Buffer.from([0x1a, 0, 0x22, 0]);

/** Opens an envelope, or a bare runtime.Unknown. Throws DecodeError when the bytes are neither. */
export function unwrapUnknown(bytes: Uint8Array): Unknown {
  const reader = new WireReader(bytes);
  const end = reader.length;
  reader.at = isEnveloped(bytes) ? prefix.length : 0;
  let typeMeta: TypeMeta = { apiVersion: "", kind: "" };
  let raw: Buffer = Buffer.alloc(0);
  let contentEncoding = "";
  let contentType = "";
  while (reader.at < end) {
    const tag = reader.tag(end);
    switch (tag) {
      case 0x0a:
        typeMeta = readTypeMeta(reader, end);
        break;
      case 0x12:
        raw = reader.bytes(end);
        break;
      case 0x1a:
        contentEncoding = reader.string(end);
        break;
      case 0x22:
        contentType = reader.string(end);
        break;
      default:
        reader.skip(tag, end);
    }
  }
  return { ...typeMeta, raw, contentEncoding, contentType };
}

/** Unwraps like `unwrapUnknown` bytes that must have the prefix: the body of a request, an object in storage. */
export function unwrapEnvelope(bytes: Uint8Array): Unknown {
  if (bytes.length === 0) {
    throw new DecodeError("empty data");
  }
  if (!isEnveloped(bytes)) {
    throw new DecodeError("provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]");
  }
  if (bytes.length === prefix.length) {
    throw new DecodeError("empty body");
  }
  return unwrapUnknown(bytes);
}

function readTypeMeta(reader: WireReader, end: number): TypeMeta {
  const stop = reader.block(end);
  let apiVersion = "";
  let kind = "";
  while (reader.at < stop) {
    const tag = reader.tag(stop);
    if (tag === 0x0a) {
      apiVersion = reader.string(stop);
    } else if (tag === 0x12) {
      kind = reader.string(stop);
    } else {
      reader.skip(tag, stop);
    }
  }
  return { apiVersion, kind };
}
