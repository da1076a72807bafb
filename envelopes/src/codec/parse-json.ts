import type { JsonValue } from "../json/json.js";
import type { Steps } from "../scheduling/steps.js";
import { isDigit } from "./json-scanner.js";
import { hasManyValues, refuseTooManyValues } from "./json-value-count.js";
import { maxDepth, type ParsedJson, parseJsonExactly, parseJsonExactlySteps } from "./parse-json-exactly.js";

export type { ParsedJson };

const noDuplicates: readonly string[] = Object.freeze([]);

/**
 * Parses JSON as Go does: duplicates found, integers exact (as bigint beyond 2^53), at most 1,000 levels deep
 * and 100,000 values in all. Throws DecodeError with Go's text. JSON.parse does the work whenever a quick look shows that it has lost nothing.
 */
export function parseJson(text: string): ParsedJson {
  refuseTooManyValues(text);
  return withCare(text, parseQuickly(text));
}

/** Parses JSON as `parseJson` does, in steps. */
export function* parseJsonSteps(text: string): Steps<ParsedJson> {
  refuseTooManyValues(text);
  yield;
  if (hasManyValues(text)) {
    return yield* parseJsonExactlySteps(text);
  }
  const value = parseQuickly(text);
  yield;
  return withCare(text, value);
}

/** Parses with JSON.parse; undefined when the text is invalid JSON. */
function parseQuickly(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

function withCare(text: string, value: JsonValue | undefined): ParsedJson {
  return value !== undefined && isFaithful(text, value)
    ? { value, duplicateFields: noDuplicates, asWritten: undefined }
    : parseJsonExactly(text);
}

/** Parses JSON of which only integers beyond 2^53 need care: they become bigint. Throws SyntaxError, or DecodeError. */
export function parseExactIntegers(text: string): JsonValue {
  return hasLongInteger(text) ? parseJsonExactly(text).value : (JSON.parse(text) as JsonValue);
}

/**
 * Parses JSON of any depth as `parseExactIntegers` does, in steps when it has many values. Throws SyntaxError or DecodeError when it is no JSON.
 */
export function* parseExactIntegersSteps(text: string): Steps<JsonValue> {
  return hasManyValues(text) || hasLongInteger(text)
    ? (yield* parseJsonExactlySteps(text, Number.POSITIVE_INFINITY)).value
    : (JSON.parse(text) as JsonValue);
}

/** Reports whether JSON.parse has lost nothing of a text. False in doubt, which costs time only. */
function isFaithful(text: string, value: JsonValue): boolean {
  // First, so that what follows meets short numbers only: some of its patterns may look at digits more than once.
  if (hasLongInteger(text)) {
    return false;
  }
  const keyCount = countKeys(value, text);
  return (
    keyCount >= 0 &&
    keyCount === countKeyEnds(text) &&
    // Escapes may hold half of a surrogate pair, which Go replaces.
    !/\\u[dD][89a-fA-F]/.test(text)
  );
}

/**
 * Returns the number of members of all objects; -1 when something is too deep, or a number in a list may be spelled
 * oddly.
 */
function countKeys(root: JsonValue, text: string): number {
  let count = 0;
  let mayHideIntegers = typeof root === "number";
  let level: JsonValue[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth >= maxDepth) {
      return -1;
    }
    const next: JsonValue[] = [];
    for (let i = 0; i < level.length; i++) {
      const container = level[i] as JsonValue;
      if (Array.isArray(container)) {
        for (let j = 0; j < container.length; j++) {
          const item = container[j];
          if (typeof item === "object" && item !== null) {
            next.push(item);
          } else if (typeof item === "number") {
            mayHideIntegers = true;
          }
        }
      } else if (typeof container === "object" && container !== null) {
        for (const key in container) {
          count++;
          const item = container[key];
          if (typeof item === "object" && item !== null) {
            next.push(item);
          }
        }
      }
    }
    level = next;
  }
  return mayHideIntegers && /(?:^|[[,])[ \t\r\n]*-?\d+[.eE]/.test(text) ? -1 : count;
}

/**
 * Returns the number of colons after keys. Strings that start with a colon are counted, too, which only makes the count
 * too large. -1 when a key is followed by spaces, or a member may be a whole number that is not written as one.
 */
function countKeyEnds(text: string): number {
  let count = 0;
  for (let at = text.indexOf(":"); at >= 0; at = text.indexOf(":", at + 1)) {
    const before = text.charCodeAt(at - 1);
    if (before !== 0x22) {
      if (before <= 0x20 && isQuoteBeforeSpaces(text, at)) {
        return -1;
      }
      continue;
    }
    if (text.charCodeAt(at - 2) === 0x5c && isEscaped(text, at - 1)) {
      continue;
    }
    count++;
    const after = text.charCodeAt(at + 1);
    const code = after === 0x20 ? text.charCodeAt(at + 2) : after;
    // Spaces, a minus and digits are below the colon, as is the quote; what else begins a value is not.
    if (code < 0x3a && code !== 0x22 && hidesInteger(text, at + 1)) {
      return -1;
    }
  }
  return count;
}

function isQuoteBeforeSpaces(text: string, at: number): boolean {
  let end = at - 1;
  while (text.charCodeAt(end) <= 0x20) {
    end--;
  }
  return text.charCodeAt(end) === 0x22;
}

/** Reports whether an odd number of backslashes stands before the quote at `at`. */
function isEscaped(text: string, at: number): boolean {
  let start = at;
  while (text.charCodeAt(start - 1) === 0x5c) {
    start--;
  }
  return (at - start) % 2 === 1;
}

// Not if a digit other than zero follows the decimal point, and no exponent comes after that.
const hiddenInteger = /[ \t\r\n]*-?\d+(?:\.0*(?![0-9])|[.\d]*[eE])/y;

function hidesInteger(text: string, at: number): boolean {
  hiddenInteger.lastIndex = at;
  return hiddenInteger.test(text);
}

/** The number of digits of the smallest integer that a double may round. */
const longIntegerDigits = 16;

/**
 * Reports whether a number may have more digits than a float holds exactly. Only every sixteenth character is examined
 * at first.
 */
function hasLongInteger(text: string): boolean {
  for (let at = longIntegerDigits - 1; at < text.length; at += longIntegerDigits) {
    if (isDigit(text.charCodeAt(at))) {
      let start = at;
      let end = at + 1;
      while (isDigit(text.charCodeAt(start - 1))) {
        start--;
      }
      while (isDigit(text.charCodeAt(end))) {
        end++;
      }
      if (end - start >= longIntegerDigits) {
        return true;
      }
    }
  }
  return false;
}
