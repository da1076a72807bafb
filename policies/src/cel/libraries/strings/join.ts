import { EvaluationError } from "../../values/evaluation-error.js";
import { isList, itemsOf } from "../../values/type-name.js";
import type { CelValue } from "../../values/value.js";
import { countWork } from "../../values/work.js";

/** The work of joining one text, beside that of copying it. */
const elementWork = 50;

/** Joins texts, with a separator between them. Throws EvaluationError for an element that is no text. */
export function join(list: CelValue, separator: CelValue = ""): string {
  const texts = isList(list) ? itemsOf(list) : [];
  const other = texts.find((text) => typeof text !== "string");
  if (other !== undefined) {
    throw new EvaluationError("no such overload: join(list)");
  }
  const textLength = (texts as readonly string[]).reduce((length, text) => length + text.length, 0);
  countWork(textLength + texts.length * (String(separator).length + elementWork));
  return texts.join(String(separator));
}
