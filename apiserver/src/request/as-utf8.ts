/** Decodes a header as UTF-8, as its sender meant it: Node takes each byte for a character. */
export function asUtf8(value: string): string {
  // ASCII, which nearly all headers are, is the same in both.
  return /[\x80-\xff]/.test(value) ? Buffer.from(value, "latin1").toString() : value;
}
