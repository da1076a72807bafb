/** Reports whether a character, by its code, ends a line: `\r\n` and the like are `\n` already where this is asked. */
export function isBreak(code: number): boolean {
  return code === 0x0a || code === 0x2028 || code === 0x2029;
}

/** Reports whether a text has more than one line. */
export function hasBreak(text: string): boolean {
  return /[\n\u2028\u2029]/.test(text);
}

/**
 * Returns what line breaks between two parts of a scalar stand for, of which only the first may be folded into a space. Unicode's
 * own separators stay what they are.
 */
export function foldBreaks(breaks: string): string {
  const rest = breaks.slice(1);
  return !breaks.startsWith("\n") ? breaks : rest === "" ? " " : rest;
}
