import { CostLimitExceeded, EvaluationError } from "../values/evaluation-error.js";
import type { CelValue } from "../values/value.js";
import { currentWork } from "../values/work.js";
import type { EvaluationProgress } from "./evaluation-progress.js";

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
  /** How far an evaluation has come that may give way to other work; undefined for one that does not. */
  progress: EvaluationProgress | undefined;
  #limit = 0;
  #sliceCost = Number.POSITIVE_INFINITY;
  #sliceWork = Number.NEGATIVE_INFINITY;

  constructor(slotCount: number) {
    this.slots = new Array<Outcome>(slotCount).fill(null);
  }

  /** Begins an evaluation. */
  begin(variables: Variables, limit: number, progress: EvaluationProgress | undefined): void {
    this.variables = variables;
    this.cost = 0;
    this.#limit = limit;
    this.progress = progress;
    progress?.begin(this);
  }

  /** Sets the cost, and the work left, at which the evaluation gives way to other work. */
  endSliceAt(cost: number, work: number): void {
    this.#sliceCost = cost;
    this.#sliceWork = work;
  }

  /** Gives way to other work if it is time to; called at the beginning of each iteration. Throws PendingAnswer. */
  checkSlice(): void {
    if (this.progress !== undefined && (this.cost > this.#sliceCost || currentWork() < this.#sliceWork)) {
      this.progress.pause();
    }
  }

  /** Lets go of all values. */
  end(): void {
    this.variables = noVariables;
    this.progress = undefined;
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
