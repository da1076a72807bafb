const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Returns the index behind the closing brace of the JSON object that begins at `start`; -1 if it is not closed. */
export function endOfObject(bytes: Buffer, start: number): number {
  let depth = 0;
  let inText = false;
  for (let index = start; index < bytes.length; index++) {
    const byte = bytes[index];
    if (inText) {
      if (byte === backslash) {
        index++;
      } else if (byte === quote) {
        inText = false;
      }
    } else if (byte === quote) {
      inText = true;
    } else if (byte === openBrace) {
      depth++;
    } else if (byte === closeBrace && --depth === 0) {
      return index + 1;
    }
  }
  return -1;
}
