import { BoxedDouble, type CelValue, Uint } from "../values/value.js";
import { Token, type TokenKind } from "./tokens.js";
import { unescapeBytes, unescapeString } from "./unescape.js";

/** The value of a literal; an error's text in place of it. */
export type LiteralValue =
  | { readonly value: CelValue; readonly error?: undefined }
  | { readonly error: string; readonly value?: undefined };

const maxInt = 2n ** 63n - 1n;
const maxUint = 2n ** 64n - 1n;

/** Returns the value of a literal, whose text may begin with a minus sign; undefined if the token is no literal. */
export function readLiteral(kind: TokenKind, text: string): LiteralValue | undefined {
  switch (kind) {
    case Token.int:
      return intLiteral(text);
    case Token.uint:
      return uintLiteral(text);
    case Token.double:
      return doubleLiteral(text);
    case Token.string:
      return stringLiteral(text);
    case Token.bytes:
      return bytesLiteral(text);
    case Token.true:
      return { value: true };
    case Token.false:
      return { value: false };
    case Token.null:
      return { value: null };
    default:
      return undefined;
  }
}

/** Returns the value of an int literal, which may begin with a minus sign. */
function intLiteral(text: string): LiteralValue {
  const isNegative = text.startsWith("-");
  const magnitude = isNegative ? text.slice(1) : text;
  if (magnitude.length <= 15) {
    const value = Number(magnitude);
    return { value: isNegative && value !== 0 ? -value : value };
  }
  const value = isNegative ? -BigInt(magnitude) : BigInt(magnitude);
  if (value > maxInt || value < -maxInt - 1n) return { error: "invalid int literal" };
  const number = Number(value);
  return { value: Number.isSafeInteger(number) ? number : value };
}

/** Returns the value of a uint literal with its suffix. */
function uintLiteral(text: string): LiteralValue {
  const value = BigInt(text.slice(0, -1));
  return value > maxUint ? { error: "invalid uint literal" } : { value: new Uint(value) };
}

/** Returns the value of a double literal, which may begin with a minus sign. */
function doubleLiteral(text: string): LiteralValue {
  const value = Number(text);
  if (!Number.isFinite(value)) return { error: "invalid double literal" };
  return { value: Number.isInteger(value) ? new BoxedDouble(value) : value };
}

/** Returns the value of a string literal with its quotes and its prefix. */
function stringLiteral(text: string): LiteralValue {
  const value = unescapeString(text);
  return value === undefined ? { error: "unable to unescape string" } : { value };
}

/** Returns the value of a bytes literal with its quotes and its prefix. */
function bytesLiteral(text: string): LiteralValue {
  const value = unescapeBytes(text.slice(1));
  return value === undefined ? { error: "unable to unescape string" } : { value };
}
