import { TextMemo } from "../collections/index.js";

/** The traits of the name of a field. */
export interface FieldName {
  readonly lower: string;
  /** True for the characters that a name may have (RFC 9110, section 5.6.2). */
  readonly isToken: boolean;
}

/** Traits by name as peers send it. */
const known = new TextMemo<FieldName>(100_000);

/** Returns the traits of a name as it was sent: the same few names come again and again. */
export function fieldNameOf(name: string): FieldName {
  return known.get(name) ?? known.keep(name, traitsOf(name));
}

function traitsOf(name: string): FieldName {
  return { lower: name.toLowerCase(), isToken: /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name) };
}

/** Returns the text of a line from an index on, without the blanks around it (RFC 9110, section 5.5). */
export function trimmed(line: string, from: number): string {
  let start = from;
  let end = line.length;
  while (start < end && isBlank(line.charCodeAt(start))) {
    start++;
  }
  while (end > start && isBlank(line.charCodeAt(end - 1))) {
    end--;
  }
  return line.slice(start, end);
}

/** Reports whether a text, of which each character is a byte, has only those that a value may have. */
export function isFieldValue(text: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(text);
}

/** Reports whether a character is a space or a tab. */
export function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}
