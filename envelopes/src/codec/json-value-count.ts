import { DecodeError } from "./decode-error.js";

/**
 * The limit of values in one document: members of objects, items of lists, and these themselves. No object that people
 * write comes near; a body of 3 MiB could otherwise hold the server for seconds with a million of them.
 */
export const maxValues = 100_000;

/** The error of a document with more than `max` values. */
export function tooManyValues(format: "json" | "yaml", max: number = maxValues): DecodeError {
  return new DecodeError(`${format}: more than ${max} values in one document`);
}

/**
 * Throws DecodeError if JSON text holds more values than `max`, which is `maxValues` unless told; to count them costs a
 * fraction of making them.
 */
export function refuseTooManyValues(text: string, max: number = maxValues): void {
  // A value and what divides it from the next take two characters.
  if (text.length > 2 * max && countValues(text) > max) {
    throw tooManyValues("json", max);
  }
}

/**
 * The number of values above which a document is read in steps: JSON.parse takes up to two microseconds for each, and
 * nothing else runs meanwhile.
 */
const manyValues = 20_000;

/** Reports whether JSON text holds so many values that JSON.parse would hold up other work. */
export function hasManyValues(text: string): boolean {
  return text.length > 2 * manyValues && countValues(text) > manyValues;
}

/** Counts values: a comma divides two of them, and a container that is not empty has one more than commas. */
function countValues(text: string): number {
  let count = 1;
  let isAfterOpening = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code <= 0x20) {
      continue;
    }
    const isClosing = code === 0x5d || code === 0x7d;
    count += (isAfterOpening && !isClosing) || code === 0x2c ? 1 : 0;
    isAfterOpening = code === 0x5b || code === 0x7b;
    if (code === 0x22) {
      at = endOfString(text, at);
    }
  }
  return count;
}

/** Returns the index of the closing quote; that of the end of the text if there is none. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== 0x22) {
    at += text.charCodeAt(at) === 0x5c ? 2 : 1;
  }
  return at;
}
