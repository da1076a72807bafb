/** Compares keys in yaml.v2's order: letters after everything else, runs of digits by their number. */
export function compareNaturally(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  let at = 0;
  while (at < length && a.charCodeAt(at) === b.charCodeAt(at)) {
    at++;
  }
  if (at === length) {
    return a.length - b.length;
  }
  // Both halves of a surrogate pair belong to the character in which the texts differ.
  at -= at > 0 && isHighSurrogate(a.charCodeAt(at - 1)) ? 1 : 0;
  const p = a.codePointAt(at) as number;
  const q = b.codePointAt(at) as number;
  const pLetter = isLetter(p);
  const qLetter = isLetter(q);
  if (pLetter !== qLetter) {
    return pLetter ? 1 : -1;
  }
  return (pLetter ? 0 : compareNumbers(a, b, at)) || p - q;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00;
}

function isLetter(code: number): boolean {
  return code < 0x80 ? (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a : /\p{L}/u.test(String.fromCodePoint(code));
}

/**
 * Compares the numbers whose digits begin at `at`; zero when neither has any. Digits are compared as text, because
 * sorting many keys takes long already.
 */
function compareNumbers(a: string, b: string, at: number): number {
  const [aEnd, bEnd] = [endOfDigits(a, at), endOfDigits(b, at)];
  if (aEnd === at && bEnd === at) {
    return 0;
  }
  const countsZeros = (a.charCodeAt(at) === zero || b.charCodeAt(at) === zero) && followsNonZeroDigit(a, at);
  let p = countsZeros ? at : endOfZeros(a, at, aEnd);
  let q = countsZeros ? at : endOfZeros(b, at, bEnd);
  if (aEnd - p !== bEnd - q) {
    return aEnd - p - (bEnd - q);
  }
  for (; p < aEnd; p++, q++) {
    const difference = a.charCodeAt(p) - b.charCodeAt(q);
    if (difference !== 0) {
      return difference;
    }
  }
  return aEnd - bEnd;
}

/** Reports whether the digits right before `at` are more than zeros, so that a zero that follows counts. */
function followsNonZeroDigit(text: string, at: number): boolean {
  for (let i = at - 1; i >= 0 && /\p{Nd}/u.test(text.charAt(i)); i--) {
    if (text.charAt(i) !== "0") {
      return true;
    }
  }
  return false;
}

const zero = 0x30;
const nine = 0x39;
/** The limit of digits that fit into 64 bits. */
const maxDigits = 18;

function endOfDigits(text: string, at: number): number {
  let end = at;
  while (end < at + maxDigits && text.charCodeAt(end) >= zero && text.charCodeAt(end) <= nine) {
    end++;
  }
  return end;
}

function endOfZeros(text: string, at: number, end: number): number {
  let next = at;
  while (next < end && text.charCodeAt(next) === zero) {
    next++;
  }
  return next;
}
