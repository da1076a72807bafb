/** One element of a DER encoding (X.690). */
export interface DerElement {
  /** The identifier octet: class, form and number. */
  readonly tag: number;
  /** With identifier and length. */
  readonly whole: Buffer;
  readonly content: Buffer;
}

/** What is no DER, in the words of Go's `encoding/asn1`. */
export class DerError extends Error {}

/** The tags of what requests are made of. */
export const derTags = {
  integer: 0x02,
  bitString: 0x03,
  objectIdentifier: 0x06,
  bmpString: 0x1e,
  sequence: 0x30,
  attributes: 0xa0,
};

/** Reads the element at the beginning of `bytes`. Throws DerError. */
export function readElement(bytes: Buffer): { element: DerElement; rest: Buffer } {
  const tag = bytes[0];
  const first = bytes[1];
  if (tag === undefined || first === undefined || (tag & 0x1f) === 0x1f) {
    throw new DerError("asn1: syntax error: truncated tag or length");
  }
  const { length, headerLength } = readLength(bytes, first);
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

/** Reads elements of these tags, one after the other, `type` being what Go calls their holder. */
export function readElements(bytes: Buffer, tags: readonly number[], type: string): DerElement[] {
  const elements: DerElement[] = [];
  let rest = bytes;
  for (const tag of tags) {
    if (rest.length === 0) {
      throw new DerError("asn1: syntax error: sequence truncated");
    }
    const next = readElement(rest);
    if (next.element.tag !== tag) {
      throw new DerError(mismatch(tag, next.element, type));
    }
    elements.push(next.element);
    rest = next.rest;
  }
  return elements;
}

function mismatch(expected: number, { tag, content }: DerElement, type: string): string {
  const found = `{class:${tag >> 6} tag:${tag & 0x1f} length:${content.length} isCompound:${(tag & 0x20) !== 0}}`;
  const options =
    "{optional:false explicit:false application:false private:false defaultValue:<nil> tag:<nil> stringType:0 timeType:0 set:false omitEmpty:false}";
  return `asn1: structure error: tags don't match (${expected & 0x1f} vs ${found}) ${options} ${type} @2`;
}
