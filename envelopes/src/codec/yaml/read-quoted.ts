import type { YamlCursor } from "./cursor.js";
import { foldBreaks, isBreak } from "./line-breaks.js";

/** Reads a scalar in quotes, which are the next character. Line breaks inside are folded. */
export function readQuoted(cursor: YamlCursor): string {
  const quote = cursor.peek();
  const parts: string[] = [];
  cursor.at++;
  for (;;) {
    parts.push(readRun(cursor, quote));
    const next = cursor.peek();
    if (next === quote) {
      cursor.at++;
      if (quote === '"' || cursor.peek() !== "'") {
        return parts.join("");
      }
      parts.push("'");
      cursor.at++;
    } else if (next === "\\") {
      parts.push(readEscape(cursor));
    } else if (cursor.atBreak) {
      parts.push(foldLines(cursor));
    } else {
      throw cursor.scanError("found unexpected end of stream");
    }
  }
}

/** Characters that stand for themselves, without the spaces before a line break. */
function readRun(cursor: YamlCursor, quote: string): string {
  const { text } = cursor;
  const start = cursor.at;
  let end = start;
  let at = start;
  for (; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === quote || isBreak(text.charCodeAt(at)) || (character === "\\" && quote === '"')) {
      break;
    }
    if (character !== " " && character !== "\t") {
      end = at + 1;
    }
  }
  cursor.at = at;
  return text.slice(start, cursor.atBreak ? end : at);
}

/** Folds line breaks: a single one becomes a space, further ones stay. */
function foldLines(cursor: YamlCursor): string {
  let breaks = "";
  while (cursor.atBreak) {
    breaks += cursor.newline();
    if (cursor.atDocumentMark) {
      throw cursor.scanError("found unexpected document indicator");
    }
    cursor.skipBlanks();
  }
  return foldBreaks(breaks);
}

const escapes: Readonly<Record<string, string>> = {
  "0": "\0",
  a: "\x07",
  b: "\b",
  t: "\t",
  "\t": "\t",
  n: "\n",
  v: "\v",
  f: "\f",
  r: "\r",
  e: "\x1b",
  " ": " ",
  '"': '"',
  "'": "'",
  "\\": "\\",
  N: "\x85",
  _: "\xa0",
  L: "\u2028",
  P: "\u2029",
};
const hexLengths: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

function readEscape(cursor: YamlCursor): string {
  const letter = cursor.peek(1);
  if (isBreak(letter.charCodeAt(0))) {
    cursor.at++;
    cursor.newline();
    cursor.skipBlanks();
    return "";
  }
  const simple = Object.hasOwn(escapes, letter) ? escapes[letter] : undefined;
  if (simple !== undefined) {
    cursor.at += 2;
    return simple;
  }
  const length = Object.hasOwn(hexLengths, letter) ? hexLengths[letter] : undefined;
  if (length === undefined) {
    throw cursor.scanError("found unknown escape character");
  }
  const digits = cursor.text.slice(cursor.at + 2, cursor.at + 2 + length);
  if (digits.length < length || !/^[0-9a-fA-F]+$/.test(digits)) {
    throw cursor.scanError("did not find expected hexdecimal number");
  }
  const code = Number.parseInt(digits, 16);
  if ((code >= 0xd800 && code < 0xe000) || code > 0x10ffff) {
    throw cursor.scanError("found invalid Unicode character escape code");
  }
  cursor.at += 2 + length;
  return String.fromCodePoint(code);
}
