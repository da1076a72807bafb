/** Statuses that have an index of their own in HPACK's static table. */
const staticStatuses: Readonly<Record<number, number>> = {
  8: 200,
  9: 204,
  10: 206,
  11: 304,
  12: 400,
  13: 404,
  14: 500,
};
/** Any of these entries can lend its name to another status. */
const isStatusName = (index: number): boolean => index >= 8 && index <= 14;
const firstDynamicIndex = 62;

/**
 * The status that a response's header block begins with, or `undefined` when it is one that the server has sent before
 * on this connection: those have an index in a dynamic table, which nobody here keeps. Whoever refuses every other status
 * when it first comes knows what such an index means.
 */
export function statusOfBlock(block: Buffer): number | undefined {
  let at = 0;
  // Updates of the table's size come first.
  while (((block[at] ?? 0) & 0xe0) === 0x20) {
    at++;
  }
  const first = block[at] ?? 0;
  if ((first & 0x80) !== 0) {
    const index = first & 0x7f;
    return index >= firstDynamicIndex ? undefined : (staticStatuses[index] ?? Number.NaN);
  }
  const nameIndex = (first & 0x40) !== 0 ? first & 0x3f : first & 0x0f;
  return isStatusName(nameIndex) ? readDigits(block, at + 1) : Number.NaN;
}

/** Three digits, plain or in Huffman code (RFC 7541, appendix B): 0 to 2 have five bits, 3 to 9 have six. */
function readDigits(block: Buffer, at: number): number {
  const lengthByte = block[at] ?? 0;
  const bytes = block.subarray(at + 1, at + 1 + (lengthByte & 0x7f));
  if ((lengthByte & 0x80) === 0) {
    return Number(bytes.toString("latin1"));
  }
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  let text = "";
  for (let from = 0; text.length < 3; ) {
    const five = Number.parseInt(bits.slice(from, from + 5), 2);
    const isShort = five <= 2;
    text += isShort ? five : Number.parseInt(bits.slice(from, from + 6), 2) - 0b011001 + 3;
    from += isShort ? 5 : 6;
  }
  return Number(text);
}
