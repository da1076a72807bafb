/** yaml.v2's order of keys: letters after everything else, runs of digits by their number. */
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

/** Of the digits from `at` on; zero when neither has any. */
function compareNumbers(a: string, b: string, at: number): number {
  const left = digitsFrom(a, at);
  const right = digitsFrom(b, at);
  if (left === "" && right === "") {
    return 0;
  }
  const lead = (left[0] === "0" || right[0] === "0") && followsNonZeroDigit(a, at) ? "1" : "";
  const difference = BigInt(`0${lead}${left}`) - BigInt(`0${lead}${right}`);
  return difference < 0n ? -1 : difference > 0n ? 1 : left.length - right.length;
}

/** Whether the digits right before `at` are more than zeros: then a zero that follows counts. */
function followsNonZeroDigit(text: string, at: number): boolean {
  for (let i = at - 1; i >= 0 && /\p{Nd}/u.test(text.charAt(i)); i--) {
    if (text.charAt(i) !== "0") {
      return true;
    }
  }
  return false;
}

/** As many as fit 64 bits. */
function digitsFrom(text: string, at: number): string {
  let end = at;
  while (end < at + 18 && text.charCodeAt(end) >= 0x30 && text.charCodeAt(end) <= 0x39) {
    end++;
  }
  return text.slice(at, end);
}
