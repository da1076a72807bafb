import { errorCode, Http2Error } from "../http2-error.js";
import { FieldTable, type TableField } from "./field-table.js";
import { decodeHuffman } from "./huffman.js";
import { type BlockCursor, cutOff, readInteger } from "./integer.js";
import { fieldOverhead, staticCount, staticFields } from "./static-table.js";

/** The fields of a block. */
export interface DecodedBlock {
  /** Names and values in turn; incomplete if the block is malformed or too large. */
  readonly fields: string[];
  /** True if a name or value has bytes that no field may have (RFC 9113, section 8.2.1). */
  readonly isMalformed: boolean;
  /** True if the fields are more, or together larger, than this side allows. */
  readonly isTooLarge: boolean;
}

/** Limits of a decoder. */
export interface FieldDecoderOptions {
  /** Largest table that the peer may use in bytes, as it has been told. */
  readonly maxTableBytes: number;
  /** Largest size of the fields of a block in bytes, counted as in RFC 9113, section 6.5.2. */
  readonly maxListBytes: number;
}

/** Fields of a message at most, as with HTTP/1.1. Encoded they may be a byte each, and what looks at them costs far more. */
const maxFields = 2000;

/** Names of fields are tokens in lower case; those of pseudo-fields have a colon before. */
const validName = /^:?[!#$%&'*+\-.^_`|~0-9a-z]+$/;
/**
 * Bytes that no value has: control characters. Blanks around a value are malformed, too (RFC 9113, section 8.2.1), but
 * Go's programs send them and take them as parts of the value.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const invalidValue = /[\0-\x08\x0a-\x1f\x7f]/;

/** Decodes the blocks of fields that a peer sends on one connection (RFC 7541). Any error ends the connection. */
export class FieldDecoder {
  readonly #options: FieldDecoderOptions;
  readonly #table: FieldTable;

  constructor(options: FieldDecoderOptions) {
    this.#options = options;
    this.#table = new FieldTable(options.maxTableBytes);
  }

  /** Decodes one whole block. Throws Http2Error. */
  decode(bytes: Buffer): DecodedBlock {
    const cursor: BlockCursor = { bytes, at: 0 };
    const fields: string[] = [];
    let listBytes = 0;
    let count = 0;
    let isMalformed = false;
    let isTooLarge = false;
    while (cursor.at < bytes.length) {
      const field = this.#next(cursor, listBytes > 0);
      if (field === undefined) {
        continue;
      }
      listBytes += field.name.length + field.value.length + fieldOverhead;
      isMalformed ||= field.isMalformed;
      count++;
      isTooLarge = count > maxFields || listBytes > this.#options.maxListBytes;
      if (!isTooLarge) {
        fields.push(field.name, field.value);
      }
    }
    return { fields, isMalformed, isTooLarge };
  }

  /** Reads the next field; undefined for a change of the table's size. */
  #next(cursor: BlockCursor, isAfterField: boolean): TableField | undefined {
    const first = cursor.bytes[cursor.at] as number;
    if (first >= 0x80) {
      return this.#fieldAt(readInteger(cursor, 7));
    }
    if (first >= 0x40) {
      const field = this.#literal(cursor, 6);
      this.#table.add(field);
      return field;
    }
    if (first >= 0x20) {
      const size = readInteger(cursor, 5);
      if (isAfterField || size > this.#options.maxTableBytes) {
        throw new Http2Error(errorCode.compressionError, "the size of a table of fields is not allowed");
      }
      this.#table.maxBytes = size;
      return undefined;
    }
    return this.#literal(cursor, 4);
  }

  #literal(cursor: BlockCursor, prefixBits: number): TableField {
    const index = readInteger(cursor, prefixBits);
    const name = index === 0 ? readString(cursor) : this.#fieldAt(index).name;
    const value = readString(cursor);
    return { name, value, isMalformed: !validName.test(name) || invalidValue.test(value) };
  }

  #fieldAt(index: number): TableField {
    const field = index > staticCount ? this.#table.at(index - staticCount - 1) : staticTable[index - 1];
    if (field === undefined) {
      throw new Http2Error(errorCode.compressionError, "a block of fields refers to a field that is not there");
    }
    return field;
  }
}

const staticTable: readonly TableField[] = Array.from({ length: staticCount }, (_, at) => ({
  name: staticFields[2 * at] as string,
  value: staticFields[2 * at + 1] as string,
  isMalformed: false,
}));

function readString(cursor: BlockCursor): string {
  const { bytes } = cursor;
  const isHuffman = (bytes[cursor.at] as number) >= 0x80;
  const length = readInteger(cursor, 7);
  const start = cursor.at;
  const end = start + length;
  if (end > bytes.length) {
    throw cutOff();
  }
  cursor.at = end;
  return isHuffman ? decodeHuffman(bytes, start, end) : bytes.toString("latin1", start, end);
}
