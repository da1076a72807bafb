import type { Search } from "./search.js";

/**
 * Limit of the work of a search for all matches, in units of about a nanosecond. A pattern such as `a.*b|a` reads to the end
 * of the text for each match, so that the whole is quadratic: such a search is given up. Work is counted, not measured,
 * since a decision must not depend on the load of the machine.
 */
const maxSearchWork = 30_000_000;

/** The work of visiting an instruction of the pattern for a character. */
const visitWork = 5;
/** The work of beginning a search, once for each match. */
const beginWork = 100;

/**
 * Returns the parts of a text that match, at most `limit` if that is not negative, as Go's `FindAllString` does. An empty
 * match right after another match is none. Undefined: the search was given up, since it takes too much work.
 */
export function findMatches(search: Search, text: string, limit: number): string[] | undefined {
  const found: string[] = [];
  const visitsBefore = search.visits;
  let searches = 0;
  let previousEnd = -1;
  for (let from = 0; found.length !== limit && from <= text.length; ) {
    const start = search.find(text, from);
    searches++;
    if (searches * beginWork + (search.visits - visitsBefore) * visitWork > maxSearchWork) {
      return undefined;
    }
    if (start === -1) {
      break;
    }
    const { end } = search;
    if (start !== end || start !== previousEnd) {
      found.push(text.slice(start, end));
    }
    previousEnd = end;
    from = start === end ? end + widthAt(text, end) : end;
  }
  return found;
}

/** Returns the number of units of the character at an index: 2 for one outside the basic plane. */
function widthAt(text: string, index: number): number {
  return (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
}
