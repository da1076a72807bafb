/**
 * Characters that are not seen, or that change the order of others: controls, format characters and separators. With one
 * of them a user name could pass for another one.
 */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Returns a text with unseen characters written out, as `\u{202e}`. */
export function visibleText(text: string): string {
  return text.replace(unseen, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}
