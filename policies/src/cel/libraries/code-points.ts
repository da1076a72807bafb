const surrogate = /[\ud800-\udfff]/;

/** Returns the offset in UTF-16 units of a code point by its index, which is at most the length of the text. */
export function offsetOf(text: string, index: number): number {
  if (!surrogate.test(text)) {
    return index;
  }
  let at = 0;
  for (let count = 0; count < index; count++) {
    at = nextCodePoint(text, at);
  }
  return at;
}

/** Returns the offset of the code point after that at an offset. */
export function nextCodePoint(text: string, at: number): number {
  return at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
}
