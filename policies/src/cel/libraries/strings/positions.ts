import { EvaluationError } from "../../values/evaluation-error.js";
import { lastOffsetOf } from "../../values/search.js";
import { codePointCount } from "../../values/size.js";
import { nextCodePoint, offsetOf } from "../code-points.js";

/** An int of the language, as an index. Indexes beyond what a number holds are out of range anyway. */
type Index = number | bigint;

/** Returns the character at an index, which is empty at the end of the text. */
export function charAt(text: string, index: Index): string {
  const at = checkedOffset(text, index, codePointCount(text));
  return at === text.length ? "" : text.slice(at, nextCodePoint(text, at));
}

/** Returns the index of the first occurrence of `part` at or after an index; -1 if there is none. */
export function indexOf(text: string, part: string, from: Index = 0): Index {
  if (part === "") {
    return from;
  }
  const at = text.indexOf(part, checkedOffset(text, from, codePointCount(text) - 1));
  return at < 0 ? -1 : codePointCount(text.slice(0, at));
}

/** Returns the index of the last occurrence of `part` that begins at or before an index; -1 if there is none. */
export function lastIndexOf(text: string, part: string, from?: Index): Index {
  const last = codePointCount(text) - 1;
  if (part === "") {
    return from ?? last + 1;
  }
  const at = lastOffsetOf(text, part, checkedOffset(text, from ?? last, last));
  return at < 0 ? -1 : codePointCount(text.slice(0, at));
}

/** Returns the text between two indexes, of which the second is not part of it. */
export function substring(text: string, start: Index, end?: Index): string {
  if (end !== undefined && start > end) {
    throw new EvaluationError(`invalid substring range. start: ${start}, end: ${end}`);
  }
  const length = codePointCount(text);
  const from = checkedOffset(text, start, length);
  return text.slice(from, end === undefined ? undefined : checkedOffset(text, end, length));
}

function checkedOffset(text: string, index: Index, last: number): number {
  if (index < 0 || index > last) {
    throw new EvaluationError(`index out of range: ${index}`);
  }
  return offsetOf(text, Number(index));
}
