/** One element of a DER encoding (X.690). */
export interface DerElement {
  /** The identifier octet: class, form and number. */
  readonly tag: number;
  /** The element with identifier and length. */
  readonly whole: Buffer;
  readonly content: Buffer;
}

/** An error about bytes that are no DER, in the words of Go's `encoding/asn1`. */
export class DerError extends Error {}

/** The tags that requests and certificates consist of. */
export const derTags = {
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  objectIdentifier: 0x06,
  boolean: 0x01,
  utf8String: 0x0c,
  numericString: 0x12,
  printableString: 0x13,
  t61String: 0x14,
  ia5String: 0x16,
  bmpString: 0x1e,
  sequence: 0x30,
  set: 0x31,
  attributes: 0xa0,
} as const;

/** The identifier and the length at the beginning of an element. */
interface DerHeader {
  readonly tag: number;
  readonly length: number;
  readonly headerLength: number;
}

/** Reads the element at the beginning of `bytes`. Throws DerError. */
export function readElement(bytes: Buffer): { element: DerElement; rest: Buffer } {
  return readContent(bytes, readHeader(bytes));
}

function readHeader(bytes: Buffer): DerHeader {
  const tag = bytes[0];
  const first = bytes[1];
  if (tag === undefined || first === undefined || (tag & 0x1f) === 0x1f) {
    throw new DerError("asn1: syntax error: truncated tag or length");
  }
  return { tag, ...readLength(bytes, first) };
}

function readContent(bytes: Buffer, { tag, length, headerLength }: DerHeader): { element: DerElement; rest: Buffer } {
  const end = headerLength + length;
  if (end > bytes.length) {
    throw new DerError("asn1: syntax error: data truncated");
  }
  const element = { tag, whole: bytes.subarray(0, end), content: bytes.subarray(headerLength, end) };
  return { element, rest: bytes.subarray(end) };
}

function readLength(bytes: Buffer, first: number): { length: number; headerLength: number } {
  if (first < 0x80) {
    return { length: first, headerLength: 2 };
  }
  const count = first & 0x7f;
  if (count === 0) {
    throw new DerError("asn1: syntax error: indefinite length found (not DER)");
  }
  if (count > 4 || bytes.length < 2 + count) {
    throw new DerError(
      count > 4 ? "asn1: structure error: length too large" : "asn1: syntax error: truncated tag or length",
    );
  }
  const length = bytes.readUIntBE(2, count);
  if (bytes[2] === 0) {
    throw new DerError("asn1: structure error: superfluous leading zeros in length");
  }
  if (length < 0x80) {
    throw new DerError("asn1: structure error: non-minimal length");
  }
  return { length, headerLength: 2 + count };
}

/** Reads elements of these tags, one after the other, `type` being Go's name of their holder. Passes over what follows. */
export function readElements<const T extends readonly number[]>(
  bytes: Buffer,
  tags: T,
  type: string,
): { [K in keyof T]: DerElement } {
  let rest = bytes;
  return tags.map((tag) => {
    if (rest.length === 0) {
      throw new DerError("asn1: syntax error: sequence truncated");
    }
    const header = readHeader(rest);
    if (header.tag !== tag) {
      throw new DerError(mismatch(tag, header, type));
    }
    const next = readContent(rest, header);
    rest = next.rest;
    return next.element;
  }) as { [K in keyof T]: DerElement };
}

/** Reads elements up to the end, all of the same tag where one is given. */
export function readAll(bytes: Buffer, tag?: number): readonly DerElement[] {
  const elements: DerElement[] = [];
  for (let rest = bytes; rest.length > 0; ) {
    const next = readElement(rest);
    if (tag !== undefined && next.element.tag !== tag) {
      throw new DerError("asn1: structure error: sequence tag mismatch");
    }
    elements.push(next.element);
    rest = next.rest;
  }
  return elements;
}

/** Reads the content of an object identifier into its dotted form. Throws DerError. */
export function readObjectIdentifier(content: Buffer): string {
  const arcs: number[] = [];
  let arc = 0;
  for (const [index, octet] of content.entries()) {
    if (arc === 0 && octet === 0x80) {
      throw new DerError("asn1: syntax error: integer is not minimally encoded");
    }
    arc = arc * 128 + (octet & 0x7f);
    if (octet < 0x80) {
      arcs.push(arc);
      arc = 0;
    } else if (index === content.length - 1 || arc > 2 ** 31) {
      throw new DerError(
        arc > 2 ** 31
          ? "asn1: structure error: base 128 integer too large"
          : "asn1: syntax error: truncated base 128 integer",
      );
    }
  }
  const [first] = arcs;
  if (first === undefined) {
    throw new DerError("asn1: syntax error: zero length OBJECT IDENTIFIER");
  }
  const top = Math.min(Math.floor(first / 40), 2);
  return [top, first - top * 40, ...arcs.slice(1)].join(".");
}

/** Writes an element. */
export function writeElement(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  if (length < 0x80) {
    return Buffer.concat([Buffer.from([tag, length]), content]);
  }
  const size = length < 0x100 ? 1 : length < 0x10000 ? 2 : 4;
  const header = Buffer.alloc(2 + size);
  header.writeUInt8(tag);
  header.writeUInt8(0x80 | size, 1);
  header.writeUIntBE(length, 2, size);
  return Buffer.concat([header, content]);
}

function mismatch(expected: number, { tag, length, headerLength }: DerHeader, type: string): string {
  const found = `{class:${tag >> 6} tag:${tag & 0x1f} length:${length} isCompound:${(tag & 0x20) !== 0}}`;
  const options =
    "{optional:false explicit:false application:false private:false defaultValue:<nil> tag:<nil> stringType:0 timeType:0 set:false omitEmpty:false}";
  return `asn1: structure error: tags don't match (${expected & 0x1f} vs ${found}) ${options} ${type} @${headerLength}`;
}
