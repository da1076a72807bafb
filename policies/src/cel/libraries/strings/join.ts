import { EvaluationError } from "../../values/evaluation-error.js";
import type { CelValue } from "../../values/value.js";
import { itemsOf } from "../call-cost.js";

/** Joins texts, with a separator between them. Throws EvaluationError for an element that is no text. */
export function join(list: CelValue, separator: CelValue = ""): string {
  const texts = itemsOf(list) ?? [];
  const other = texts.find((text) => typeof text !== "string");
  if (other !== undefined) {
    throw new EvaluationError("no such overload: join(list)");
  }
  return texts.join(String(separator));
}
