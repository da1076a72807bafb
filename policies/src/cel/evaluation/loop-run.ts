import type { ValueReader } from "../types/cel-type.js";
import { EvaluationError } from "../values/evaluation-error.js";
import { keysOf } from "../values/maps.js";
import { isList, isMap, itemsOf } from "../values/type-name.js";
import type { CelValue } from "../values/value.js";
import { currentWork } from "../values/work.js";
import { caughtError, type Frame, isError, type Outcome, type Step } from "./frame.js";
import { implementationTypeName } from "./go-type-name.js";

/** The elements that a loop runs over. */
export interface LoopRange {
  readonly run: Step;
  /** The slot of the variable of the loop. */
  readonly slot: number;
  /** Converts elements as their declared type asks. */
  readonly read: ValueReader | undefined;
}

/** One run of a loop, which an evaluation that gives way to other work leaves and goes on with. */
export class LoopRun {
  readonly elements: readonly CelValue[];
  /** The result so far; undefined before the first iteration. */
  result: Outcome | undefined;
  readonly #range: LoopRange;
  readonly #costBefore: number;
  readonly #workBefore: number;
  #index: number;
  /** The cost of the evaluation when the iteration began. */
  #cost: number;

  constructor(frame: Frame, range: LoopRange, elements: readonly CelValue[], index = 0, result?: Outcome) {
    this.elements = elements;
    this.result = result;
    this.#range = range;
    this.#index = index - 1;
    this.#cost = frame.cost;
    // A run that was left before has taken long.
    this.#costBefore = result === undefined ? frame.cost : Number.NEGATIVE_INFINITY;
    this.#workBefore = currentWork();
  }

  /** Begins an iteration: sets the variable of the loop. Returns false if there is no further element. Throws PendingAnswer. */
  next(frame: Frame): boolean {
    const index = ++this.#index;
    if (index >= this.elements.length) {
      return false;
    }
    this.#cost = frame.cost;
    frame.checkSlice();
    const { slot, read } = this.#range;
    const element = this.elements[index] as CelValue;
    frame.slots[slot] = read === undefined ? element : readOrError(read, element);
    return true;
  }

  /** Keeps the run if an answer is pending. Throws what was thrown. */
  leave(frame: Frame, thrown: unknown): never {
    const { elements, result } = this;
    frame.progress?.keep(this.#range.slot, { elements, result, index: this.#index, cost: this.#cost }, thrown);
    throw thrown;
  }

  /** Ends the run. Returns the result of the loop. */
  end(frame: Frame, result: Outcome): Outcome {
    frame.progress?.finish(frame, this.#range.slot, { cost: this.#costBefore, work: this.#workBefore }, result);
    return result;
  }
}

/** Begins a loop, or goes on with it. Returns its result instead if that is known, or the error of its range. */
export function beginLoop(frame: Frame, range: LoopRange): LoopRun | Outcome {
  if (frame.progress?.isBehind === true) {
    const known = frame.progress.resume(frame, range.slot);
    if (known !== undefined) {
      return known.elements === undefined
        ? known.result
        : new LoopRun(frame, range, known.elements, known.index, known.result);
    }
  }
  frame.progress?.start(range.slot);
  const elements = elementsOf(range.run(frame));
  return isError(elements) ? elements : new LoopRun(frame, range, elements);
}

function readOrError(read: ValueReader, element: CelValue): Outcome {
  try {
    return read(element);
  } catch (thrown) {
    return caughtError(thrown);
  }
}

function elementsOf(range: Outcome): readonly CelValue[] | EvaluationError {
  if (isError(range)) {
    return range;
  }
  if (isList(range)) {
    return itemsOf(range);
  }
  if (isMap(range)) {
    return keysOf(range);
  }
  return new EvaluationError(`got '${implementationTypeName(range)}', expected iterable type`);
}
