/**
 * Returns the end of the string literal whose opening quote is at `start`. If there is none, returns a negative number:
 * the offset, with its sign changed, of the end of the text that cannot be a string. `isRaw`: backslashes are plain.
 */
export function scanString(source: string, start: number, isRaw: boolean): number {
  const quote = source.charCodeAt(start);
  if (source.charCodeAt(start + 1) !== quote) return scanLine(source, start, quote, isRaw);
  if (source.charCodeAt(start + 2) === quote) {
    const end = scanTriple(source, start, quote, isRaw);
    if (end > 0) return end;
  }
  return start + 2;
}

const backslash = 92;

function scanLine(source: string, start: number, quote: number, isRaw: boolean): number {
  let at = start + 1;
  while (at < source.length) {
    const char = source.charCodeAt(at);
    if (char === quote) return at + 1;
    if (char === 10 || char === 13) return -(at + 1);
    if (char === backslash && !isRaw) {
      at = scanEscape(source, at);
      if (at < 0) return at;
    } else at++;
  }
  return -source.length;
}

function scanTriple(source: string, start: number, quote: number, isRaw: boolean): number {
  let at = start + 3;
  while (at < source.length) {
    const char = source.charCodeAt(at);
    if (char === quote && source.charCodeAt(at + 1) === quote && source.charCodeAt(at + 2) === quote) return at + 3;
    if (char === backslash && !isRaw) {
      at = scanEscape(source, at);
      if (at < 0) return at;
    } else at++;
  }
  return -source.length;
}

/** Returns the end of the escape sequence at an offset; a negative number, as `scanString` does, if it is none. */
function scanEscape(source: string, start: number): number {
  const letter = source[start + 1];
  switch (letter) {
    case "x":
    case "X":
      return scanDigits(source, start + 2, 2, isHexDigit);
    case "u":
      return scanDigits(source, start + 2, 4, isHexDigit);
    case "U":
      return scanDigits(source, start + 2, 8, isHexDigit);
    case "0":
    case "1":
    case "2":
    case "3":
      return scanDigits(source, start + 2, 2, isOctalDigit);
    case undefined:
      return -source.length;
    default:
      return "abfnrtv\"'\\?`".includes(letter) ? start + 2 : failure(source, start + 1);
  }
}

function scanDigits(source: string, start: number, count: number, isDigit: (char: number) => boolean): number {
  for (let at = start; at < start + count; at++) {
    if (!isDigit(source.charCodeAt(at))) return failure(source, at);
  }
  return start + count;
}

/** Returns a failure whose text ends after the code point at an offset. */
function failure(source: string, at: number): number {
  if (at >= source.length) return -source.length;
  return -(at + ((source.codePointAt(at) ?? 0) > 0xffff ? 2 : 1));
}

/** Tells whether a character code is that of a hexadecimal digit. */
export function isHexDigit(char: number): boolean {
  return (char >= 48 && char <= 57) || (char >= 97 && char <= 102) || (char >= 65 && char <= 70);
}

function isOctalDigit(char: number): boolean {
  return char >= 48 && char <= 55;
}
