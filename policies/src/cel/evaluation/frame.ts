import { CostLimitExceeded, EvaluationError } from "../values/evaluation-error.js";
import type { CelValue } from "../values/value.js";

/** The values of variables, by name. A variable that is left out has no value, and expressions that use it fail. */
export type Variables = Readonly<Record<string, CelValue | undefined>>;

/**
 * The value of a node, or the error in its place. Errors are values inside an evaluation, since the operators around a node
 * that has failed still evaluate their other operands and count their cost, as in v1.29.
 */
export type Outcome = CelValue | EvaluationError;

/** A compiled node. Throws CostLimitExceeded and PendingAnswer only. */
export type Step = (frame: Frame) => Outcome;

const noVariables: Variables = Object.freeze({});

/** The state of one evaluation. */
export class Frame {
  variables: Variables = noVariables;
  cost = 0;
  /** Variables of loops and their results. */
  readonly slots: Outcome[];
  #limit = 0;

  constructor(slotCount: number) {
    this.slots = new Array<Outcome>(slotCount).fill(null);
  }

  /** Begins an evaluation. */
  begin(variables: Variables, limit: number): void {
    this.variables = variables;
    this.cost = 0;
    this.#limit = limit;
  }

  /** Lets go of all values. */
  end(): void {
    this.variables = noVariables;
    if (this.slots.length > 0) {
      this.slots.fill(null);
    }
  }

  /** Counts cost. Throws CostLimitExceeded. */
  charge(cost: number): void {
    this.cost += cost;
    if (this.cost > this.#limit) {
      throw new CostLimitExceeded();
    }
  }
}

/** Returns true if a node has failed. */
export function isError(outcome: Outcome): outcome is EvaluationError {
  return typeof outcome === "object" && outcome instanceof EvaluationError;
}

/** The error of an operation on values of types that it does not know. */
export const noSuchOverload = new EvaluationError("no such overload");

/** Returns the error for a value that should have been a boolean: its own, if it is one. */
export function notBoolean(outcome: Outcome): EvaluationError {
  return isError(outcome) ? outcome : noSuchOverload;
}

/** Returns the error that was thrown. Throws it again if it ends the whole evaluation. */
export function caughtError(thrown: unknown): EvaluationError {
  if (thrown instanceof EvaluationError && !(thrown instanceof CostLimitExceeded)) {
    return thrown;
  }
  throw thrown;
}
