const letters: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, "\\": 92 };

/** An escape sequence: a letter, a byte in hexadecimal or octal digits, or a code point in four or eight digits. */
const escapeSequence = /\\(?:([abtnvfr\\])|(['"])|x([\da-fA-F]{2})|([0-7]{3})|u([\da-fA-F]{4})|U([\da-fA-F]{8}))/y;
const plain = /[^\\]+/y;

/**
 * Returns the text that is written between quotes, without them, as Go's `strconv.UnquoteChar` reads each of its characters.
 * Undefined: it has an escape sequence that Go does not know, the quote itself without a backslash, or the other quote with one.
 */
export function goUnquote(written: string, quote: '"' | "'"): string | undefined {
  const parts: Buffer[] = [];
  for (let at = 0; at < written.length; ) {
    const expression = written[at] === "\\" ? escapeSequence : plain;
    expression.lastIndex = at;
    const found = expression.exec(written);
    const bytes =
      found === null ? undefined : expression === plain ? plainBytes(found[0], quote) : escaped(found, quote);
    if (bytes === undefined) {
      return undefined;
    }
    parts.push(bytes);
    at = expression.lastIndex;
  }
  return Buffer.concat(parts).toString();
}

function plainBytes(text: string, quote: string): Buffer | undefined {
  return text.includes(quote) ? undefined : Buffer.from(text);
}

function escaped(found: RegExpExecArray, quote: string): Buffer | undefined {
  const [, letter, quoted, hexadecimal, octal, short, long] = found;
  if (letter !== undefined) {
    return Buffer.of(letters[letter] as number);
  }
  if (quoted !== undefined) {
    return quoted === quote ? Buffer.from(quoted) : undefined;
  }
  const code = Number.parseInt(hexadecimal ?? octal ?? short ?? long ?? "", octal === undefined ? 16 : 8);
  if (hexadecimal !== undefined || octal !== undefined) {
    return code > 0xff ? undefined : Buffer.of(code);
  }
  const isCodePoint = code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isCodePoint ? Buffer.from(String.fromCodePoint(code)) : undefined;
}
