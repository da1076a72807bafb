import type { EvaluationError } from "../values/evaluation-error.js";
import type { CelValue } from "../values/value.js";
import { type Frame, isError, notBoolean, type Outcome, type Step } from "./frame.js";
import { beginLoop, type LoopRange, LoopRun } from "./loop-run.js";

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
    const loop = beginLoop(frame, range);
    if (!(loop instanceof LoopRun)) {
      return loop;
    }
    if (loop.result === undefined) {
      loop.result = initial(frame);
    }
    try {
      frame.slots[accumulatorSlot] = loop.result;
      while (loop.next(frame) && condition(frame) !== false) {
        loop.result = step(frame);
        frame.slots[accumulatorSlot] = loop.result;
      }
    } catch (thrown) {
      loop.leave(frame, thrown);
    }
    return loop.end(frame, result(frame));
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
    const loop = beginLoop(frame, range);
    if (!(loop instanceof LoopRun)) {
      return loop;
    }
    let result: Outcome = loop.result === undefined ? !decisive : loop.result;
    try {
      while (loop.next(frame)) {
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
    } catch (thrown) {
      loop.result = result;
      loop.leave(frame, thrown);
    }
    frame.charge(1);
    return loop.end(frame, result);
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
    const loop = beginLoop(frame, range);
    if (!(loop instanceof LoopRun)) {
      return loop;
    }
    const known = loop.result === undefined ? [] : loop.result;
    let error: EvaluationError | undefined = isError(known) ? known : undefined;
    const collected = (isError(known) ? [] : known) as CelValue[];
    try {
      while (loop.next(frame)) {
        const isChosen = predicate === undefined || predicate(frame);
        if (isChosen === true) {
          const added = append(frame, collected, element);
          error ??= isError(added) ? added : undefined;
        } else if (isChosen !== false) {
          error = notBoolean(isChosen);
        }
      }
    } catch (thrown) {
      loop.result = error ?? collected;
      loop.leave(frame, thrown);
    }
    frame.charge(1);
    return loop.end(frame, error ?? collected);
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
