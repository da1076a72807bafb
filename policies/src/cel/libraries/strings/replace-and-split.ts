import { countWork } from "../../values/work.js";
import { nextCodePoint } from "../code-points.js";

/** The work of making one piece of a text, beside that of copying it. */
const pieceWork = 50;

/** Replaces occurrences of a part, at most `limit` if that is not negative. An empty part occurs around each character. */
export function replace(text: string, part: string, replacement: string, limit: number | bigint = -1): string {
  const pieces: string[] = [];
  let done = 0;
  let at = 0;
  for (let count = 0; limit < 0 || count < limit; count++) {
    // Empty parts occur at the start, and then after each character.
    const searchFrom = part === "" && count > 0 ? nextCodePoint(text, at) : at;
    const found = searchFrom > text.length ? -1 : text.indexOf(part, searchFrom);
    if (found < 0) {
      break;
    }
    countWork(pieceWork + replacement.length);
    pieces.push(text.slice(done, found), replacement);
    at = found + part.length;
    done = at;
  }
  return pieces.join("") + text.slice(done);
}

/** Splits a text at each separator into at most `limit` parts, if that is not negative; an empty separator splits between characters. */
export function split(text: string, separator: string, limit: number | bigint = -1): string[] {
  const parts: string[] = [];
  let at = 0;
  while (limit < 0 || parts.length < Number(limit) - 1) {
    const end = separator === "" ? endOfCharacter(text, at) : text.indexOf(separator, at);
    if (end < 0) {
      break;
    }
    countWork(pieceWork);
    parts.push(text.slice(at, end));
    at = end + separator.length;
  }
  if (limit !== 0 && limit !== 0n && (separator !== "" || at < text.length)) {
    parts.push(text.slice(at));
  }
  return parts;
}

/** Returns the end of the character at an offset; -1 at the last one, which is the rest, and at the end. */
function endOfCharacter(text: string, at: number): number {
  const end = nextCodePoint(text, at);
  return end < text.length ? end : -1;
}
