import type { RE2JS } from "re2js";

/**
 * Limit of the work of a search for all matches, in units of about a nanosecond. A pattern such as `a.*b|a` reads to the end
 * of the text for each match, so that the whole is quadratic: such a search is given up. Work is counted, not measured,
 * since a decision must not depend on the load of the machine.
 */
const maxSearchWork = 40_000_000;

/** The work of reading a character. It grows with the instructions of a pattern that are tried for each. */
const readWork = 100;
const instructionWork = 4;
/** The work of beginning a search, once for each match. */
const beginWork = 1500;

/**
 * Returns the parts of a text that match, at most `limit` if that is not negative, as Go's `FindAllString` does. An empty
 * match right after another match is none. Undefined: the search was given up, since it takes too much work.
 */
export function findMatches(pattern: RE2JS, text: string, limit: number): string[] | undefined {
  const counted = new CountedText(text);
  // The engine takes objects of String for texts, and reads them by their methods.
  const matcher = pattern.matcher(counted as unknown as string);
  const workOfRead = Math.max(readWork, pattern.programSize() * instructionWork);
  const found: string[] = [];
  let searches = 0;
  let previousEnd = -1;
  while (found.length !== limit && matcher.find()) {
    const start = matcher.start();
    const end = matcher.end();
    if (start !== end || start !== previousEnd) {
      found.push(text.slice(start, end));
    }
    previousEnd = end;
    searches++;
    if (searches * beginWork + counted.reads * workOfRead > maxSearchWork) {
      return undefined;
    }
  }
  return found;
}

/** A text that counts how many of its characters are read. */
class CountedText extends String {
  reads = 0;

  override charCodeAt(index: number): number {
    this.reads++;
    return super.charCodeAt(index);
  }
}
