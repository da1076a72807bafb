import { goQuote, trimSpace } from "@gatehouse/envelopes/go";
import { type CompiledExpression, CostLimitExceeded, type Variables } from "../../cel/index.js";
import { perCallLimit } from "./cost-limits.js";

/** Largest message that an expression may make, in bytes. */
const maxMessageBytes = 5 * 1024;

/** The message that an expression has made. */
export interface EvaluatedMessage {
  /** The message; undefined if the expression fails or makes none that can be shown: then the rule has its own message. */
  readonly text?: string;
  /** The reason why no further rule is evaluated. */
  readonly problem?: string;
  readonly cost: number;
}

/** Evaluates the expression of the message of a broken rule. `budget` is the cost that the object may still cause. */
export function evaluateMessage(
  expression: CompiledExpression,
  variables: Variables,
  budget: number,
): EvaluatedMessage {
  const { value, error, cost } = expression.evaluate(variables, perCallLimit);
  if (cost > budget) {
    const problem =
      "messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run";
    return { problem, cost };
  }
  if (error instanceof CostLimitExceeded) {
    const shown = goQuote(expression.source);
    const problem = `no further validation rules will be run due to call cost exceeds limit for messageExpression: ${shown}`;
    return { problem, cost };
  }
  const text = typeof value === "string" ? trimSpace(value) : "";
  const canBeShown = text !== "" && !text.includes("\n") && Buffer.byteLength(text) <= maxMessageBytes;
  return canBeShown ? { text, cost } : { cost };
}
