/**
 * DER (ITU-T X.690): as much of it as certificates of our own are made of. What takes contents gives one encoded element.
 */

/** Any element: its tag, and what is in it. */
export function element(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.of(tag), lengthOctets(content.length), content]);
}

/** An element with a tag of the context, from 0 to 30, that holds whole elements. */
export function tagged(number: number, ...members: readonly Uint8Array[]): Buffer {
  return element(0xa0 | number, ...members);
}

/** An element with a tag of the context, from 0 to 30, in the place of the tag of a string. */
export function taggedString(number: number, content: Uint8Array): Buffer {
  return element(0x80 | number, content);
}

export function sequence(...members: readonly Uint8Array[]): Buffer {
  return element(0x30, ...members);
}

/** A set of one: more would have to be sorted. */
export function setOf(member: Uint8Array): Buffer {
  return element(0x31, member);
}

/** A positive number, the most significant octet first. */
export function positiveInteger(octets: Uint8Array): Buffer {
  const isNegative = (octets[0] ?? 0) >= 0x80;
  return element(0x02, Buffer.alloc(isNegative ? 1 : 0), octets);
}

export const isTrue: Uint8Array = Buffer.of(0x01, 0x01, 0xff);

/** `unusedBits`: how many of the last octet do not count. */
export function bitString(octets: Uint8Array, unusedBits = 0): Buffer {
  return element(0x03, Buffer.of(unusedBits), octets);
}

export function octetString(octets: Uint8Array): Buffer {
  return element(0x04, octets);
}

export function utf8String(text: string): Buffer {
  return element(0x0c, Buffer.from(text));
}

/** An object identifier, from its numbers with dots between. */
export function objectIdentifier(text: string): Buffer {
  const [first = 0, second = 0, ...others] = text.split(".").map(Number);
  return element(0x06, Buffer.from([first * 40 + second, ...others].flatMap(base128)));
}

/** A time to the second: with two digits for the year until 2049 (RFC 5280, section 4.1.2.5). */
export function time(date: Date): Buffer {
  const text = `${date.toISOString().slice(0, 19).replaceAll(/[-:T]/g, "")}Z`;
  return date.getUTCFullYear() < 2050 ? element(0x17, Buffer.from(text.slice(2))) : element(0x18, Buffer.from(text));
}

/** What is in an element that has been encoded by somebody else. Throws RangeError when it ends too soon. */
export function contentOf(encoded: Uint8Array): Uint8Array {
  const { start, end } = contentBounds(encoded, 0);
  return encoded.subarray(start, end);
}

/** The elements in a sequence that has been encoded by somebody else. Throws RangeError when it ends too soon. */
export function membersOf(encoded: Uint8Array): readonly Uint8Array[] {
  const members: Uint8Array[] = [];
  for (let at = contentBounds(encoded, 0).start; at < encoded.length; ) {
    const { end } = contentBounds(encoded, at);
    members.push(encoded.subarray(at, end));
    at = end;
  }
  return members;
}

function contentBounds(encoded: Uint8Array, at: number): { readonly start: number; readonly end: number } {
  const first = encoded[at + 1] ?? 0;
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  const start = at + 2 + lengthBytes;
  const length = lengthBytes === 0 ? first : encoded.subarray(at + 2, start).reduce((sum, byte) => sum * 256 + byte, 0);
  if (start + length > encoded.length) {
    throw new RangeError(`an element of ${length} bytes at ${at} of ${encoded.length}`);
  }
  return { start, end: start + length };
}

function lengthOctets(length: number): Buffer {
  if (length < 0x80) {
    return Buffer.of(length);
  }
  const hex = length.toString(16);
  const octets = Buffer.from(hex.padStart(hex.length + (hex.length % 2), "0"), "hex");
  return Buffer.concat([Buffer.of(0x80 | octets.length), octets]);
}

/** Seven bits to an octet, the most significant first; all but the last are marked. */
function base128(value: number): number[] {
  const octets = [value & 0x7f];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) {
    octets.unshift((rest & 0x7f) | 0x80);
  }
  return octets;
}
