import type { RE2JS } from "re2js";

/**
 * Limits of a search for all matches. A pattern such as `a.*b|a` reads to the end of the text for each match, so that the
 * whole is quadratic. Searches that may be so are given up after a while; the work of most ends far earlier.
 */
const maxCertainSteps = 3_000_000;
const maxSearchMs = 40;

/**
 * Returns the parts of a text that match, at most `limit` if that is not negative, as Go's `FindAllString` does. An empty
 * match right after another match is none. Undefined: the search took too long.
 */
export function findMatches(pattern: RE2JS, text: string, limit: number): string[] | undefined {
  const matcher = pattern.matcher(text);
  const found: string[] = [];
  const started = performance.now();
  let possibleSteps = 0;
  let previousEnd = -1;
  while (found.length !== limit && matcher.find()) {
    const start = matcher.start();
    const end = matcher.end();
    if (start !== end || start !== previousEnd) {
      found.push(text.slice(start, end));
    }
    previousEnd = end;
    possibleSteps += (text.length - end) * pattern.programSize();
    if (possibleSteps > maxCertainSteps && performance.now() - started > maxSearchMs) {
      return undefined;
    }
  }
  return found;
}
