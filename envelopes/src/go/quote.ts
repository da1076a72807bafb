/** Escapes that have a letter. */
const letters: ReadonlyMap<string, string> = new Map([
  ["\x07", "\\a"],
  ["\b", "\\b"],
  ["\f", "\\f"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
  ["\v", "\\v"],
  ['"', '\\"'],
  ["\\", "\\\\"],
]);

/**
 * Characters that are escaped: controls, formats, separators but the space, private use, halves of pairs, unassigned.
 */
const needsEscape = /["\\\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;

/** Returns a text in double quotes as Go's `%q` writes it: v1.29's messages quote the client's values so. */
export function goQuote(text: string): string {
  return `"${text.replace(needsEscape, escapeOf)}"`;
}

function escapeOf(character: string): string {
  const letter = letters.get(character);
  if (letter !== undefined) {
    return letter;
  }
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) {
    return `\\x${code.toString(16).padStart(2, "0")}`;
  }
  return code < 0x10000 ? `\\u${code.toString(16).padStart(4, "0")}` : `\\U${code.toString(16).padStart(8, "0")}`;
}
