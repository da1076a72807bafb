import { countWork } from "./work.js";

/** Product of lengths up to which the search of JavaScript cannot take long, whatever the texts are. */
const maxPlainSearch = 1_000_000;

/**
 * Returns the offset of the last occurrence of `part` that begins at or before `from`; -1 if there is none. Takes time
 * linear in both lengths, which JavaScript's own function does not.
 */
export function lastOffsetOf(text: string, part: string, from: number): number {
  if (text.length * part.length <= maxPlainSearch) {
    return text.lastIndexOf(part, from);
  }
  const length = part.length;
  const last = length - 1;
  countWork(length * 5 + text.length * 5);
  // The algorithm of Knuth, Morris and Pratt, with both texts read from their ends.
  const fallbacks = fallbacksOf(part);
  let matched = 0;
  for (let at = Math.min(from + last, text.length - 1); at >= 0; at--) {
    const unit = text.charCodeAt(at);
    while (matched > 0 && part.charCodeAt(last - matched) !== unit) {
      matched = fallbacks[matched - 1] as number;
    }
    if (part.charCodeAt(last - matched) === unit) {
      matched++;
    }
    if (matched === length) {
      return at;
    }
  }
  return -1;
}

/** Returns, for each length of what has matched from the end of a text, the length that may still match after a mismatch. */
function fallbacksOf(part: string): Int32Array {
  const last = part.length - 1;
  const fallbacks = new Int32Array(part.length);
  let matched = 0;
  for (let index = 1; index < part.length; index++) {
    const unit = part.charCodeAt(last - index);
    while (matched > 0 && part.charCodeAt(last - matched) !== unit) {
      matched = fallbacks[matched - 1] as number;
    }
    if (part.charCodeAt(last - matched) === unit) {
      matched++;
    }
    fallbacks[index] = matched;
  }
  return fallbacks;
}
