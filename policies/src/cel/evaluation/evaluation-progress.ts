import { yieldToEventLoop } from "@gatehouse/envelopes/scheduling";
import type { EvaluationError } from "../values/evaluation-error.js";
import { PendingAnswer } from "../values/pending-answer.js";
import type { CelValue } from "../values/value.js";
import { currentWork, restoreWork } from "../values/work.js";

/** A cost and an amount of work: what an evaluation had cost at some point, and the work that it had left. */
interface Account {
  readonly cost: number;
  readonly work: number;
}

/** The cost, or the work, after which an evaluation gives way to other work: from two to 20 milliseconds. */
const usualSlice: Account = { cost: 100_000, work: 5_000_000 };

/** The part of a slice from which on the result of a loop is kept, so that it is not computed again. */
const keptPart = 0.1;

/** An evaluation that is under way. */
export interface SlicedEvaluation {
  cost: number;
  /** Sets the cost, and the work left, at which the evaluation gives way to other work. */
  endSliceAt(cost: number, work: number): void;
}

/** A loop that was left before its end: the iteration to go on with, and the result at its beginning. */
export interface UnfinishedLoop {
  readonly elements: readonly CelValue[];
  readonly index: number;
  readonly result: CelValue | EvaluationError | undefined;
  readonly cost: number;
}

/** A loop that has ended. */
interface FinishedLoop extends Account {
  readonly elements?: undefined;
  readonly result: CelValue | EvaluationError;
}

/**
 * How far an evaluation has come that gives way to other work: it ends with a pending answer, and the next evaluation with the
 * same progress goes on in the loops that were under way. It takes the same way to them, since expressions are pure, and its
 * cost and work become what they were there. A progress serves one evaluation after the other.
 */
export class EvaluationProgress {
  readonly #giveWay: () => Promise<unknown>;
  readonly #slice: Account;
  /** Loops to go on with, by the slot of their variable. Made when there is one, as few evaluations take long. */
  #unfinished: Map<number, UnfinishedLoop & Account> | undefined;
  /** Long loops that have ended in this run. */
  #finished: Map<number, FinishedLoop> | undefined;
  /** Those of the run before. They hold until this run has come to the place where that one was left. */
  #known: Map<number, FinishedLoop> | undefined;

  /**
   * `giveWay`: returns a promise that is settled when the evaluation may go on. `slice`: the cost or work after which it gives
   * way.
   */
  constructor(giveWay: () => Promise<unknown> = yieldToEventLoop, slice = usualSlice) {
    this.#giveWay = giveWay;
    this.#slice = slice;
  }

  /** True until the evaluation has come to the place where it was left. */
  get isBehind(): boolean {
    return this.#unfinished !== undefined || this.#known !== undefined;
  }

  /** Begins an evaluation or goes on with it. */
  begin(evaluation: SlicedEvaluation): void {
    if (this.#finished !== undefined) {
      this.#known = this.#finished;
      this.#finished = undefined;
    }
    if (this.#unfinished === undefined) {
      this.#beginSlice(evaluation);
    } else {
      evaluation.endSliceAt(Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY);
    }
  }

  /** Forgets everything, for another evaluation. */
  clear(): void {
    this.#unfinished = undefined;
    this.#finished = undefined;
    this.#known = undefined;
  }

  /** Returns where a loop was left, and takes the evaluation there; undefined if it begins. */
  resume(evaluation: SlicedEvaluation, slot: number): (UnfinishedLoop & Account) | FinishedLoop | undefined {
    const finished = this.#known?.get(slot);
    if (finished !== undefined) {
      this.#setFinished(slot, finished);
      goTo(evaluation, finished);
      return finished;
    }
    const unfinished = this.#unfinished?.get(slot);
    if (unfinished !== undefined) {
      this.#unfinished?.delete(slot);
      goTo(evaluation, unfinished);
      if (this.#unfinished?.size === 0) {
        this.#unfinished = undefined;
        this.#known = undefined;
        this.#beginSlice(evaluation);
      }
    }
    return unfinished;
  }

  /** Ends a slice. Throws PendingAnswer. */
  pause(): never {
    throw new PendingAnswer(this.#giveWay());
  }

  /** Keeps a loop that ends because an answer is pending. */
  keep(slot: number, loop: UnfinishedLoop, thrown: unknown): void {
    if (thrown instanceof PendingAnswer) {
      this.#unfinished ??= new Map();
      this.#unfinished.set(slot, { ...loop, work: currentWork() });
    }
  }

  /** Notes that a loop begins anew: the result that it had in another iteration of a loop around it holds no longer. */
  start(slot: number): void {
    this.#finished?.delete(slot);
  }

  /** Keeps the result of a loop if it has taken long since it began at `from`. */
  finish(evaluation: SlicedEvaluation, slot: number, from: Account, result: CelValue | EvaluationError): void {
    const work = currentWork();
    const slice = this.#slice;
    if (evaluation.cost - from.cost > slice.cost * keptPart || from.work - work > slice.work * keptPart) {
      this.#setFinished(slot, { result, cost: evaluation.cost, work });
    }
  }

  #setFinished(slot: number, loop: FinishedLoop): void {
    this.#finished ??= new Map();
    this.#finished.set(slot, loop);
  }

  #beginSlice(evaluation: SlicedEvaluation): void {
    evaluation.endSliceAt(evaluation.cost + this.#slice.cost, currentWork() - this.#slice.work);
  }
}

function goTo(evaluation: SlicedEvaluation, { cost, work }: Account): void {
  evaluation.cost = cost;
  restoreWork(work);
}
