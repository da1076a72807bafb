import { BackupError } from "../../../errors/errors.js";

/** The value of a field: a number for a varint, bytes for what has a length. */
export type FieldValue = bigint | Buffer;

/**
 * Reads the fields of a protobuf message by number; the last one counts of those that are there twice. Bytes share memory
 * with the message. Throws BackupError when it is malformed, or has a field of a type that no message of etcd's files has.
 */
export function readFields(message: Buffer): ReadonlyMap<number, FieldValue> {
  const fields = new Map<number, FieldValue>();
  let offset = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = message[offset++];
      if (byte === undefined) {
        break;
      }
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) {
        return BigInt.asUintN(64, value);
      }
    }
    throw malformed();
  };
  while (offset < message.length) {
    const tag = Number(varint());
    const type = tag & 7;
    if (type === 0) {
      fields.set(tag >>> 3, varint());
      continue;
    }
    const length = type === 2 ? Number(varint()) : Number.POSITIVE_INFINITY;
    if (offset + length > message.length) {
      throw malformed();
    }
    fields.set(tag >>> 3, message.subarray(offset, offset + length));
    offset += length;
  }
  return fields;
}

/** Returns a number of a message: 0 when it is absent. Throws BackupError when it is negative or too large. */
export function numberOf(value: FieldValue | undefined): number {
  if (value === undefined) {
    return 0;
  }
  if (typeof value !== "bigint" || value > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw malformed();
  }
  return Number(value);
}

/** Returns bytes of a message: none when they are absent. Throws BackupError when the field is a number. */
export function bytesOf(value: FieldValue | undefined): Buffer {
  if (value === undefined) {
    return noBytes;
  }
  if (typeof value === "bigint") {
    throw malformed();
  }
  return value;
}

const noBytes = Buffer.alloc(0);

function malformed(): BackupError {
  return new BackupError("it holds a message that cannot be read");
}
