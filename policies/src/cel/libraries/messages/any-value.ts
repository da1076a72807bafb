import { WireReader } from "@gatehouse/envelopes/codec";
import { DecodeError } from "@gatehouse/envelopes/errors";
import { EvaluationError } from "../../values/evaluation-error.js";
import { doubleValue, intValue } from "../../values/numbers.js";
import { CelMap, type CelValue, Uint } from "../../values/value.js";
import { countReading, countWork } from "../../values/work.js";
import { EmptyMessage } from "./empty-message.js";
import { durationOf, timestampOf } from "./time-values.js";

/** Reads a message up to `end` and returns the value that it stands for. Throws DecodeError. */
type MessageReader = (reader: WireReader, end: number) => CelValue;

/** Reads the value of a field. */
type FieldReader = (reader: WireReader, end: number) => CelValue;

/** Readers by field number times eight plus the wire type. */
type FieldReaders = Readonly<Record<number, FieldReader>>;

const varint = 0;
const fixed64 = 1;
const block = 2;
const fixed32 = 5;
/** Escapes by which the text of a message writes letters that it cannot hold. */
const escapes: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ["\\", "\\\\"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);
/** The work of writing one byte in a text. */
const byteTextWork = 50;
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

const readersByName: ReadonlyMap<string, MessageReader> = new Map<string, MessageReader>([
  ["Any", readAny],
  ["BoolValue", scalar(varint, false, (reader, end) => readInt64(reader, end) !== 0n)],
  ["BytesValue", scalar(block, new Uint8Array(), (reader, end) => new Uint8Array(reader.bytes(end)))],
  ["DoubleValue", scalar(fixed64, doubleValue(0), (reader, end) => doubleValue(reader.double(end)))],
  ["Duration", (reader, end) => durationOf(...readTime(reader, end))],
  ["Empty", (reader, end) => readFields(reader, end, {}, () => undefined) ?? new EmptyMessage()],
  ["FloatValue", scalar(fixed32, doubleValue(0), (reader, end) => doubleValue(reader.float(end)))],
  ["Int32Value", scalar(varint, 0, (reader, end) => reader.int32(end))],
  ["Int64Value", scalar(varint, 0, (reader, end) => intValue(readInt64(reader, end)))],
  ["ListValue", readList],
  ["StringValue", scalar(block, "", readText)],
  ["Struct", readObject],
  ["Timestamp", (reader, end) => timestampOf(...readTime(reader, end))],
  ["UInt32Value", scalar(varint, new Uint(0n), (reader, end) => new Uint(BigInt.asUintN(32, readInt64(reader, end))))],
  ["UInt64Value", scalar(varint, new Uint(0n), (reader, end) => new Uint(BigInt.asUintN(64, readInt64(reader, end))))],
  ["Value", readValue],
]);

/**
 * Returns the value of the message that an `Any` holds in bytes, of the type that its URL names. Throws EvaluationError if the
 * type is unknown or the bytes are none of its messages.
 */
export function anyValue(typeUrl: string, bytes: Uint8Array): CelValue {
  const name = /(?:^|\/)google\.protobuf\.(\w+)$/.exec(typeUrl)?.[1];
  const read = name === undefined ? undefined : readersByName.get(name);
  countReading(bytes);
  try {
    if (read !== undefined) {
      return read(new WireReader(bytes), bytes.length);
    }
  } catch (thrown) {
    if (!(thrown instanceof DecodeError)) {
      throw thrown;
    }
  }
  throw new EvaluationError(`unsupported conversion to ref.Val: (*dynamicpb.Message)${anyText(typeUrl, bytes)}`);
}

/** Returns an `Any` as text of protocol buffers. */
function anyText(typeUrl: string, bytes: Uint8Array): string {
  countWork(bytes.length * byteTextWork);
  const fields: [name: string, text: string][] = [
    ["type_url", JSON.stringify(typeUrl)],
    ["value", `"${[...bytes].map(byteText).join("")}"`],
  ];
  return fields.flatMap(([name, text]) => (text === '""' ? [] : [`${name}:${text}`])).join(" ");
}

function byteText(byte: number): string {
  const letter = String.fromCharCode(byte);
  const escaped = escapes.get(letter);
  if (escaped !== undefined) {
    return escaped;
  }
  return byte >= 0x20 && byte < 0x7f ? letter : `\\x${byte.toString(16).padStart(2, "0")}`;
}

/** Returns the reader of a message whose field 1 is its value. */
function scalar(wireType: number, zero: CelValue, read: FieldReader): MessageReader {
  return (reader, end) => {
    let value = zero;
    readFields(reader, end, { [8 + wireType]: read }, (found) => {
      value = found;
    });
    return value;
  };
}

/** Reads all fields of a message; those that are not known are skipped. */
function readFields(
  reader: WireReader,
  end: number,
  fields: FieldReaders,
  found: (value: CelValue, tag: number) => void,
): undefined {
  reader.enter();
  while (reader.at < end) {
    const tag = reader.tag(end);
    const read = fields[tag];
    if (read === undefined) {
      reader.skip(tag, end);
    } else {
      found(read(reader, end), tag);
    }
  }
  reader.leave();
}

function readInt64(reader: WireReader, end: number): bigint {
  return BigInt(reader.int64(end));
}

function readText(reader: WireReader, end: number): string {
  const bytes = reader.bytes(end);
  try {
    return decoder.decode(bytes);
  } catch {
    throw new DecodeError("proto: invalid UTF-8");
  }
}

function readTime(reader: WireReader, end: number): [seconds: bigint, nanoseconds: bigint] {
  const time: [bigint, bigint] = [0n, 0n];
  const readers = {
    8: (at: WireReader, stop: number) => at.int64(stop),
    16: (at: WireReader, stop: number) => at.int32(stop),
  };
  readFields(reader, end, readers, (value, tag) => {
    time[tag === 8 ? 0 : 1] = BigInt(value as number | bigint);
  });
  return time;
}

/** Returns the reader of a field that holds a message. */
function nested(read: MessageReader): FieldReader {
  return (reader, end) => read(reader, reader.block(end));
}

function readValue(reader: WireReader, end: number): CelValue {
  let last: CelValue = null;
  const readers: FieldReaders = {
    8: (at, stop) => {
      at.int32(stop);
      return null;
    },
    17: (at, stop) => doubleValue(at.double(stop)),
    26: readText,
    32: (at, stop) => readInt64(at, stop) !== 0n,
    42: nested(readObject),
    50: nested(readList),
  };
  readFields(reader, end, readers, (value) => {
    last = value;
  });
  return last;
}

function readList(reader: WireReader, end: number): CelValue {
  const items: CelValue[] = [];
  readFields(reader, end, { 10: nested(readValue) }, (item) => items.push(item));
  return items;
}

function readObject(reader: WireReader, end: number): CelValue {
  const members = new Map<CelValue, CelValue>();
  const readEntry: MessageReader = (at, stop) => {
    const entry: [CelValue, CelValue] = ["", null];
    readFields(at, stop, { 10: readText, 18: nested(readValue) }, (part, tag) => {
      entry[tag === 10 ? 0 : 1] = part;
    });
    members.set(...entry);
    return null;
  };
  readFields(reader, end, { 10: nested(readEntry) }, () => undefined);
  return new CelMap(members);
}

function readAny(reader: WireReader, end: number): CelValue {
  const any: [CelValue, CelValue] = ["", new Uint8Array()];
  readFields(reader, end, { 10: readText, 18: (at, stop) => new Uint8Array(at.bytes(stop)) }, (part, tag) => {
    any[tag === 10 ? 0 : 1] = part;
  });
  return anyValue(any[0] as string, any[1] as Uint8Array);
}
