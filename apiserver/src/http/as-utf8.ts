/** A header as those who sent it meant it: Node takes each byte for a character. */
export function asUtf8(value: string): string {
  return Buffer.from(value, "latin1").toString();
}
