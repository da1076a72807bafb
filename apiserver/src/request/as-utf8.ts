/** Decodes a header as UTF-8, as its sender meant it: Node takes each byte for a character. */
export function asUtf8(value: string): string {
  return Buffer.from(value, "latin1").toString();
}
