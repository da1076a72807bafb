import { type CelValue, EvaluationError } from "@gatehouse/policies/cel";
import { valueText } from "@gatehouse/policies/cel-tracing";

/** The longest text of a value; lists of containers can be long. */
const maxLength = 200;

/** Returns the text of the value or error of an expression, shortened, on one line. */
export function outcomeText(outcome: CelValue | EvaluationError | undefined): string {
  if (outcome === undefined) {
    return "not finished";
  }
  const text = outcome instanceof EvaluationError ? `error: ${outcome.message}` : valueText(outcome);
  const line = text.replaceAll(/\s*\n\s*/g, " ");
  return line.length > maxLength ? `${line.slice(0, maxLength)}...` : line;
}
