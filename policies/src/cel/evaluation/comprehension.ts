import type { ValueReader } from "../types/cel-type.js";
import { EvaluationError } from "../values/evaluation-error.js";
import { keysOf } from "../values/maps.js";
import { isList, isMap, itemsOf } from "../values/type-name.js";
import type { CelValue } from "../values/value.js";
import { caughtError, type Frame, isError, notBoolean, type Outcome, type Step } from "./frame.js";
import { implementationTypeName } from "./go-type-name.js";

/** The elements that a loop runs over. */
export interface LoopRange {
  readonly run: Step;
  /** The slot of the variable of the loop. */
  readonly slot: number;
  /** Converts elements as their declared type asks. */
  readonly read: ValueReader | undefined;
}

/** The parts of a loop of any form. */
export interface LoopParts {
  readonly accumulatorSlot: number;
  readonly initial: Step;
  readonly condition: Step;
  readonly step: Step;
  readonly result: Step;
}

/** Returns the step of a loop of any form. */
export function loopStep(range: LoopRange, parts: LoopParts): Step {
  const { accumulatorSlot, initial, condition, step, result } = parts;
  return (frame) => {
    const elements = elementsOf(range.run(frame));
    if (isError(elements)) {
      return elements;
    }
    frame.slots[accumulatorSlot] = initial(frame);
    for (let index = 0; index < elements.length; index++) {
      enter(frame, range, elements, index);
      if (condition(frame) === false) {
        break;
      }
      frame.slots[accumulatorSlot] = step(frame);
    }
    return result(frame);
  };
}

/** Returns the step of `all`: its predicate must be true for each element; one that is false decides. */
export function allStep(range: LoopRange, predicate: Step): Step {
  return quantifierStep(range, predicate, false, 2);
}

/** Returns the step of `exists`: its predicate must be true for an element, which decides. */
export function existsStep(range: LoopRange, predicate: Step): Step {
  return quantifierStep(range, predicate, true, 3);
}

/**
 * Returns the step of a loop whose result is `decisive` as soon as its predicate is. Before each element the condition costs
 * `conditionCost`, and reading the result so far 1.
 */
function quantifierStep(range: LoopRange, predicate: Step, decisive: boolean, conditionCost: number): Step {
  return (frame) => {
    const elements = elementsOf(range.run(frame));
    if (isError(elements)) {
      return elements;
    }
    let result: Outcome = !decisive;
    for (let index = 0; index < elements.length; index++) {
      enter(frame, range, elements, index);
      frame.charge(conditionCost);
      if (result === decisive) {
        break;
      }
      frame.charge(1);
      const outcome = predicate(frame);
      if (outcome === decisive) {
        result = decisive;
      } else if (outcome !== !decisive && !isError(result)) {
        result = notBoolean(outcome);
      }
    }
    frame.charge(1);
    return result;
  };
}

/** The element that a loop appends to its result. */
export interface AppendedElement {
  readonly run: Step;
  /** The cost of the list of one element that is appended: none if the element is known before evaluation. */
  readonly listCost: number;
}

/** Returns the step of `map` and `filter`: of the elements that fit the predicate, if there is one, makes a list. */
export function collectStep(range: LoopRange, predicate: Step | undefined, element: AppendedElement): Step {
  return (frame) => {
    const elements = elementsOf(range.run(frame));
    if (isError(elements)) {
      return elements;
    }
    const collected: CelValue[] = [];
    let error: EvaluationError | undefined;
    for (let index = 0; index < elements.length; index++) {
      enter(frame, range, elements, index);
      const isChosen = predicate === undefined || predicate(frame);
      if (isChosen === true) {
        const added = append(frame, collected, element);
        error ??= isError(added) ? added : undefined;
      } else if (isChosen !== false) {
        error = notBoolean(isChosen);
      }
    }
    frame.charge(1);
    return error ?? collected;
  };
}

function append(frame: Frame, collected: CelValue[], { run, listCost }: AppendedElement): Outcome {
  frame.charge(1);
  const value = run(frame);
  frame.charge(listCost + 1);
  if (!isError(value)) {
    collected.push(value);
  }
  return value;
}

function enter(frame: Frame, { slot, read }: LoopRange, elements: readonly CelValue[], index: number): void {
  const element = elements[index] as CelValue;
  if (read === undefined) {
    frame.slots[slot] = element;
    return;
  }
  try {
    frame.slots[slot] = read(element);
  } catch (thrown) {
    frame.slots[slot] = caughtError(thrown);
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
