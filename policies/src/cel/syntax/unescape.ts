/** Characters that single letters after a backslash stand for. */
const escapes: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
  "'": "'",
  '"': '"',
  "`": "`",
  "?": "?",
};

/** Lengths of escape sequences of digits, by the letter after the backslash: 4 for `\x41`. */
const lengths: Readonly<Record<string, number>> = { x: 4, X: 4, u: 6, U: 10, "0": 4, "1": 4, "2": 4, "3": 4 };

/**
 * Returns the text that a string literal stands for. The lexer has checked its quotes and escape sequences. Undefined: an
 * escape sequence is of no code point.
 */
export function unescapeString(literal: string): string | undefined {
  const { body, isRaw } = unquote(literal);
  if (isRaw || !body.includes("\\")) return body;
  let isValid = true;
  const text = replaceEscapes(body, (letter, sequence) => {
    const point = codeOf(letter, sequence) | 0;
    if (point > 0x10ffff) isValid = false;
    if (!isValid || isSurrogate(point)) return "\ufffd";
    // v1.29 reads 32 bits as a signed number, and of a negative one it keeps the lowest byte.
    return point < 0 ? byteAsText(point & 0xff) : String.fromCodePoint(point);
  });
  return isValid ? text : undefined;
}

/** Returns the bytes that a bytes literal without its first letter stands for. Undefined: it names a code point. */
export function unescapeBytes(literal: string): Uint8Array | undefined {
  const { body, isRaw } = unquote(literal);
  if (isRaw || !body.includes("\\")) return new TextEncoder().encode(body);
  const parts: Uint8Array[] = [];
  const encoder = new TextEncoder();
  let from = 0;
  for (let at = body.indexOf("\\"); at >= 0; at = body.indexOf("\\", from)) {
    const letter = body[at + 1] ?? "";
    if (letter === "u" || letter === "U") return undefined;
    parts.push(encoder.encode(body.slice(from, at)));
    const length = lengths[letter] ?? 2;
    const plain = escapes[letter];
    parts.push(plain ? encoder.encode(plain) : Uint8Array.of(codeOf(letter, body.slice(at, at + length))));
    from = at + length;
  }
  parts.push(encoder.encode(body.slice(from)));
  return concatenate(parts);
}

/** Returns what is between the quotes, with line ends written as `\n`. */
function unquote(literal: string): { body: string; isRaw: boolean } {
  const isRaw = literal.startsWith("r") || literal.startsWith("R");
  const start = isRaw ? 1 : 0;
  const quote = literal[start];
  const isTriple = literal.length - start >= 6 && literal[start + 1] === quote && literal[start + 2] === quote;
  const width = isTriple ? 3 : 1;
  const body = literal.slice(start + width, literal.length - width);
  return { body: body.includes("\r") ? body.replaceAll(/\r\n?/g, "\n") : body, isRaw };
}

function replaceEscapes(body: string, decode: (letter: string, sequence: string) => string): string {
  let text = "";
  let from = 0;
  for (let at = body.indexOf("\\"); at >= 0; at = body.indexOf("\\", from)) {
    const letter = body[at + 1] ?? "";
    const length = lengths[letter] ?? 2;
    text += body.slice(from, at) + (escapes[letter] ?? decode(letter, body.slice(at, at + length)));
    from = at + length;
  }
  return text + body.slice(from);
}

function codeOf(letter: string, sequence: string): number {
  return letter >= "0" && letter <= "3"
    ? Number.parseInt(sequence.slice(1), 8) & 0xff
    : Number.parseInt(sequence.slice(2), 16);
}

function byteAsText(byte: number): string {
  return byte < 0x80 ? String.fromCharCode(byte) : "\ufffd";
}

function isSurrogate(point: number): boolean {
  return point >= 0xd800 && point <= 0xdfff;
}

function concatenate(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
