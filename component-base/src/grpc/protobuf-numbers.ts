import type protobufjs from "protobufjs";

type Protobufjs = typeof protobufjs;

/** A reader and a writer whose 64-bit integers are JavaScript's own. */
export interface ProtobufNumbers {
  reader(bytes: Buffer): protobufjs.Reader;
  writer(): protobufjs.Writer;
}

/**
 * Makes `int64` a number and `uint64` a bigint. The library would make objects of both; numbers cost nothing, and suffice
 * for counters. Identifiers use all 64 bits. An `int64` beyond the safe integers is an error, never a neighbour of itself.
 */
export function protobufNumbers({ BufferReader, BufferWriter, Reader, Writer }: Protobufjs): ProtobufNumbers {
  const { int64: readLong } = Reader.prototype;
  const { uint64: writeLong } = Writer.prototype;

  class NumberReader extends BufferReader {
    override int64(): number & never {
      const value = Number(readLong.call(this));
      if (!Number.isSafeInteger(value)) {
        throw new RangeError(`integer out of range: ${value}`);
      }
      return value as never;
    }

    override uint64(): bigint & never {
      const { low, high } = readLong.call(this) as { readonly low: number; readonly high: number };
      return ((BigInt(high >>> 0) << 32n) | BigInt(low >>> 0)) as never;
    }
  }

  class NumberWriter extends BufferWriter {
    override uint64(value: unknown): this {
      const bits = typeof value === "bigint" ? BigInt.asUintN(64, value).toString() : String(value);
      return writeLong.call(this, bits) as this;
    }
  }

  return {
    reader(bytes) {
      const reader = new NumberReader(bytes);
      reader.discardUnknown = true;
      return reader;
    },
    writer: () => new NumberWriter(),
  };
}
