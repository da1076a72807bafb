/** Returns the text with ASCII letters in lower case. */
export function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Returns the text with ASCII letters in upper case. */
export function upperAscii(text: string): string {
  return text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

/** White space of Unicode, of which U+FEFF is none. */
const space = /^[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]$/;

/** Returns the text without white space at both ends. */
export function trim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && space.test(text[start] ?? "")) {
    start++;
  }
  while (end > start && space.test(text[end - 1] ?? "")) {
    end--;
  }
  return text.slice(start, end);
}

const escapes: ReadonlyMap<string, string> = new Map([
  ["\x07", "\\a"],
  ["\b", "\\b"],
  ["\f", "\\f"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
  ["\v", "\\v"],
  ["\\", "\\\\"],
  ['"', '\\"'],
]);

/** Returns the text in double quotes, with the escapes of the language. */
export function quote(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the characters that have escapes.
  return `"${text.replace(/[\x07-\r\\"]/g, (character) => escapes.get(character) ?? character)}"`;
}
