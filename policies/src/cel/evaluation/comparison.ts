import { codePointCount } from "../values/size.js";
import type { CelValue } from "../values/value.js";
import type { BinaryOperation } from "./call.js";
import type { Frame, Outcome, Step } from "./frame.js";

/** Compares two JavaScript numbers; undefined if one of them is NaN. */
type NumberTest = (left: number, right: number) => boolean | undefined;

const orderTests: ReadonlyMap<string, NumberTest> = new Map<string, NumberTest>([
  ["_<_", (left, right) => (left < right ? true : left >= right ? false : undefined)],
  ["_<=_", (left, right) => (left <= right ? true : left > right ? false : undefined)],
  ["_>_", (left, right) => (left > right ? true : left <= right ? false : undefined)],
  ["_>=_", (left, right) => (left >= right ? true : left < right ? false : undefined)],
]);

/**
 * Returns the step of a comparison, which does the common cases itself: numbers, texts and booleans. The rest is left to
 * `other`. Undefined: the call is no comparison.
 */
export function comparisonStep(
  name: string,
  [left, right]: readonly Step[],
  [, literal]: readonly (CelValue | undefined)[],
  other: BinaryOperation,
): Step | undefined {
  if (left === undefined || right === undefined) {
    return undefined;
  }
  const test = orderTests.get(name);
  if (test !== undefined) {
    return orderStep(test, left, right, other);
  }
  if (name !== "_==_" && name !== "_!=_") {
    return undefined;
  }
  const isEquality = name === "_==_";
  return typeof literal === "string"
    ? textEqualityStep(left, literal, isEquality, other)
    : equalityStep(left, right, isEquality, other);
}

function orderStep(test: NumberTest, left: Step, right: Step, other: BinaryOperation): Step {
  return (frame) => {
    const first = left(frame);
    const second = right(frame);
    if (typeof first === "number" && typeof second === "number") {
      const answer = test(first, second);
      if (answer !== undefined) {
        frame.charge(1);
        return answer;
      }
    }
    return other(frame, first, second);
  };
}

function textEqualityStep(left: Step, text: string, isEquality: boolean, other: BinaryOperation): Step {
  const size = codePointCount(text);
  return (frame) => {
    const value = left(frame);
    if (typeof value === "string") {
      // A text of more units than that has more code points than the literal, and need not be counted.
      const smaller = value.length > 2 * size ? size : Math.min(codePointCount(value), size);
      frame.charge(Math.ceil(smaller * 0.1));
      return (value === text) === isEquality;
    }
    return other(frame, value, text);
  };
}

function equalityStep(left: Step, right: Step, isEquality: boolean, other: BinaryOperation): Step {
  return (frame: Frame): Outcome => {
    const first = left(frame);
    const second = right(frame);
    const type = typeof first;
    if ((type === "number" || type === "boolean") && typeof second === type) {
      frame.charge(1);
      return (first === second) === isEquality;
    }
    return other(frame, first, second);
  };
}
