import { isHexDigit, scanString } from "./string-scanner.js";
import { Token, type TokenKind, type Tokens, type UnrecognizedText } from "./tokens.js";

const singles = new Map<string, TokenKind>([
  ["[", Token.leftBracket],
  ["]", Token.rightBracket],
  ["{", Token.leftBrace],
  ["}", Token.rightBrace],
  ["(", Token.leftParenthesis],
  [")", Token.rightParenthesis],
  [".", Token.dot],
  [",", Token.comma],
  ["-", Token.minus],
  ["!", Token.not],
  ["?", Token.question],
  [":", Token.colon],
  ["+", Token.plus],
  ["*", Token.times],
  ["/", Token.divide],
  ["%", Token.modulo],
  ["<", Token.less],
  [">", Token.greater],
]);
const pairs = new Map<string, TokenKind>([
  ["==", Token.equals],
  ["!=", Token.notEquals],
  ["<=", Token.lessEquals],
  [">=", Token.greaterEquals],
  ["&&", Token.and],
  ["||", Token.or],
]);
const words = new Map<string, TokenKind>([
  ["in", Token.in],
  ["true", Token.true],
  ["false", Token.false],
  ["null", Token.null],
]);

/** The kinds of one-character tokens by character code; 0 for other characters. */
const singleKinds = new Uint8Array(128);
for (const [text, kind] of singles) singleKinds[text.charCodeAt(0)] = kind;

/** The kinds of two-character tokens by the code of their first character. The second one is `=`, or the same again. */
const pairKinds = new Uint8Array(128);
const pairSeconds = new Uint8Array(128);
for (const [text, kind] of pairs) {
  pairKinds[text.charCodeAt(0)] = kind;
  pairSeconds[text.charCodeAt(0)] = text.charCodeAt(1);
}

const code = (character: string): number => character.charCodeAt(0);
const newline = code("\n");
const slash = code("/");
const dot = code(".");
const zero = code("0");
const lowerX = code("x");
const doubleQuote = code('"');
const singleQuote = code("'");

/** Divides a source into tokens, each as long as possible. Takes time linear in the length of the source. */
export function tokenize(source: string): Tokens {
  const kinds: TokenKind[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  const unrecognized: UnrecognizedText[] = [];
  const add = (kind: TokenKind, start: number, end: number): number => {
    kinds.push(kind);
    starts.push(start);
    ends.push(end);
    return end;
  };
  const reject = (start: number, end: number): number => {
    unrecognized.push({ start, end, before: kinds.length });
    return end;
  };
  let at = 0;
  while (at < source.length) {
    const first = source.charCodeAt(at);
    if (isSpace(first)) at++;
    else if (first === slash && source.charCodeAt(at + 1) === slash) at = endOfLine(source, at);
    else if (isLetter(first)) at = word(source, at, add);
    else if (isDigit(first) || (first === dot && isDigit(source.charCodeAt(at + 1)))) at = number(source, at, add);
    else if (first === doubleQuote || first === singleQuote) {
      const end = scanString(source, at, false);
      at = end > 0 ? add(Token.string, at, end) : reject(at, -end);
    } else if (first < 128 && pairKinds[first] && source.charCodeAt(at + 1) === pairSeconds[first]) {
      at = add(pairKinds[first] as TokenKind, at, at + 2);
    } else if (first < 128 && singleKinds[first]) at = add(singleKinds[first] as TokenKind, at, at + 1);
    else at = reject(at, endOfUnrecognized(source, at));
  }
  add(Token.end, source.length, source.length);
  return { kinds, starts, ends, unrecognized };
}

type Add = (kind: TokenKind, start: number, end: number) => number;

/** Adds a name, a word of the language, or a string with a prefix. */
function word(source: string, start: number, add: Add): number {
  let end = start + 1;
  let next = source.charCodeAt(end);
  while (isLetter(next) || isDigit(next)) next = source.charCodeAt(++end);
  if ((next === doubleQuote || next === singleQuote) && end - start <= 2) {
    const prefix = source.slice(start, end).toLowerCase();
    if (prefix === "r" || prefix === "b" || prefix === "br") {
      const stringEnd = scanString(source, end, prefix !== "b");
      if (stringEnd > 0) return add(prefix === "r" ? Token.string : Token.bytes, start, stringEnd);
    }
  }
  const kind = end - start > 5 ? undefined : words.get(source.slice(start, end));
  return add(kind ?? Token.identifier, start, end);
}

function number(source: string, start: number, add: Add): number {
  if (source.charCodeAt(start) === zero && source.charCodeAt(start + 1) === lowerX) {
    let end = start + 2;
    while (isHexDigit(source.charCodeAt(end))) end++;
    if (end > start + 2) return whole(source, start, end, add);
  }
  let end = digits(source, start);
  let kind: TokenKind = Token.int;
  if (source.charCodeAt(end) === dot && isDigit(source.charCodeAt(end + 1))) {
    end = digits(source, end + 1);
    kind = Token.double;
  }
  const withExponent = exponent(source, end);
  if (withExponent > end) return add(Token.double, start, withExponent);
  return kind === Token.double ? add(kind, start, end) : whole(source, start, end, add);
}

function whole(source: string, start: number, end: number, add: Add): number {
  const suffix = source[end];
  return suffix === "u" || suffix === "U" ? add(Token.uint, start, end + 1) : add(Token.int, start, end);
}

function digits(source: string, start: number): number {
  let end = start;
  while (isDigit(source.charCodeAt(end))) end++;
  return end;
}

/** Returns the end of an exponent that begins at an offset; the offset if none does. */
function exponent(source: string, start: number): number {
  const letter = source[start];
  if (letter !== "e" && letter !== "E") return start;
  const sign = source[start + 1];
  const firstDigit = sign === "+" || sign === "-" ? start + 2 : start + 1;
  const end = digits(source, firstDigit);
  return end > firstDigit ? end : start;
}

function endOfLine(source: string, start: number): number {
  const end = source.indexOf("\n", start);
  return end < 0 ? source.length : end;
}

/** Returns the end of text that is no token. The first half of `&&`, `||` and `==` takes the next character with it. */
function endOfUnrecognized(source: string, start: number): number {
  const first = source[start];
  const end = start + (first === "&" || first === "|" || first === "=" ? 1 : 0);
  return end + ((source.codePointAt(end) ?? 0) > 0xffff ? 2 : end < source.length ? 1 : 0);
}

function isSpace(char: number): boolean {
  return char === 32 || char === newline || char === 9 || char === 13 || char === 12;
}

function isLetter(char: number): boolean {
  return (char >= 97 && char <= 122) || (char >= 65 && char <= 90) || char === 95;
}

function isDigit(char: number): boolean {
  return char >= 48 && char <= 57;
}
