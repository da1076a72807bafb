const plain = /^[A-Za-z0-9_@%+:,./=-]+$/;
/** Characters that a terminal would obey, or that would show the text in another order than it is. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/**
 * Quotes a text as one word of a POSIX shell. A text with controls or unseen characters is written in the form `$'...'` of
 * bash and zsh, so that pasting it neither runs nor hides anything.
 */
export function shellQuote(text: string): string {
  if (plain.test(text)) {
    return text;
  }
  return unseen.test(text) ? ansiQuote(text) : `'${text.replaceAll("'", `'\\''`)}'`;
}

function ansiQuote(text: string): string {
  const escaped = Array.from(text, (character) => {
    if (character === "'" || character === "\\") {
      return `\\${character}`;
    }
    return unseen.test(character) ? `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, "0")}` : character;
  });
  return `$'${escaped.join("")}'`;
}
