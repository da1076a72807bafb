import type { DeclaredOverload } from "../checker/declarations.js";
import type { Overload } from "../libraries/library.js";
import type { CelType } from "../types/cel-type.js";
import { EvaluationError } from "../values/evaluation-error.js";
import { typeName } from "../values/type-name.js";
import type { CelValue } from "../values/value.js";
import { countReading } from "../values/work.js";
import { caughtError, type Frame, isError, noSuchOverload, type Outcome, type Step } from "./frame.js";
import { matchesType } from "./match-type.js";

type Implementation = Overload["call"];
type Cost = NonNullable<Overload["cost"]>;

/** Returns the function that a call of one of these overloads invokes, chosen by the types of the arguments if need be. */
export function implementationOf(candidates: readonly DeclaredOverload[]): Implementation {
  const [first] = candidates;
  if (first === undefined) {
    throw new TypeError("a call without an overload");
  }
  const { call } = first.overload;
  if (candidates.every(({ overload }) => overload.checksArguments === true && overload.call === call)) {
    return call;
  }
  return first.argumentTypes.length === 1 ? unaryDispatch(candidates) : dispatch(candidates);
}

/**
 * Returns the function that a call invokes whose pattern is a literal: v1.29 replaces the function by one with the pattern
 * in it, which tells of arguments of other types without their types.
 */
export function preparedImplementation(candidates: readonly DeclaredOverload[]): Implementation {
  return dispatch(candidates, () => noSuchOverload);
}

/** Returns the function that chooses an overload by the type of one argument, without a list of arguments. */
function unaryDispatch(candidates: readonly DeclaredOverload[]): Implementation {
  return (argument) => {
    const value = argument as CelValue;
    for (const { argumentTypes, overload } of candidates) {
      if (matchesType(value, argumentTypes[0] as CelType)) {
        return overload.call(value);
      }
    }
    throw noOverload(candidates, [value]);
  };
}

function dispatch(candidates: readonly DeclaredOverload[], refusalOf = noOverload): Implementation {
  return (...args) => {
    for (const { argumentTypes, overload } of candidates) {
      if (argumentTypes.every((type, index) => matchesType(args[index] as CelValue, type))) {
        return overload.call(...args);
      }
    }
    throw refusalOf(candidates, args);
  };
}

function noOverload([first]: readonly DeclaredOverload[], args: readonly CelValue[]): EvaluationError {
  return new EvaluationError(`no such overload: ${first?.functionName}(${args.map(typeName).join(", ")})`);
}

/** Returns the function that tells the cost of a call of one of these overloads; undefined: 1. */
export function costOf(candidates: readonly DeclaredOverload[]): Cost | undefined {
  const cost = candidates[0]?.overload.cost;
  return candidates.every(({ overload }) => overload.cost === cost) ? cost : undefined;
}

/** Returns the step of a call. */
export function callStep(implementation: Implementation, cost: Cost | undefined, args: readonly Step[]): Step {
  const [first, second] = args;
  if (first !== undefined && args.length === 1) {
    return unaryStep(implementation, cost, first);
  }
  if (first !== undefined && second !== undefined && args.length === 2) {
    return binaryStep(implementation, cost, first, second);
  }
  return variadicStep(implementation, cost, args);
}

function unaryStep(implementation: Implementation, cost: Cost | undefined, argument: Step): Step {
  // Costs are computed from one list of arguments for all calls, which nobody keeps.
  const values: CelValue[] = [null];
  return (frame) => {
    const value = argument(frame);
    let outcome: Outcome = value;
    if (!isError(value)) {
      try {
        countReading(value);
        outcome = implementation(value);
      } catch (thrown) {
        outcome = caughtError(thrown);
      }
    }
    if (cost === undefined) {
      frame.charge(1);
    } else {
      values[0] = valueOrNull(value);
      chargeCall(frame, cost, values, outcome);
    }
    return outcome;
  };
}

/** Applies a function to two arguments that have been evaluated, and counts its cost. */
export type BinaryOperation = (frame: Frame, first: Outcome, second: Outcome) => Outcome;

function binaryStep(implementation: Implementation, cost: Cost | undefined, left: Step, right: Step): Step {
  const operation = binaryOperation(implementation, cost);
  // Both are evaluated also if the first has failed: it costs the same.
  return (frame) => operation(frame, left(frame), right(frame));
}

/** Returns the operation of a call with two arguments. */
export function binaryOperation(implementation: Implementation, cost: Cost | undefined): BinaryOperation {
  const values: CelValue[] = [null, null];
  return (frame, first, second) => {
    let outcome: Outcome;
    if (isError(first) || isError(second)) {
      outcome = isError(first) ? first : second;
    } else {
      try {
        countReading(first);
        countReading(second);
        outcome = implementation(first, second);
      } catch (thrown) {
        outcome = caughtError(thrown);
      }
    }
    if (cost === undefined) {
      frame.charge(1);
    } else {
      values[0] = valueOrNull(first);
      values[1] = valueOrNull(second);
      chargeCall(frame, cost, values, outcome);
    }
    return outcome;
  };
}

/** Returns the step of a call whose arguments are evaluated only up to the first that fails. */
export function variadicStep(implementation: Implementation, cost: Cost | undefined, args: readonly Step[]): Step {
  return (frame) => {
    const values: CelValue[] = [];
    for (let index = 0; index < args.length; index++) {
      const value = (args[index] as Step)(frame);
      if (isError(value)) {
        // A call whose arguments were not all evaluated costs nothing.
        if (index === args.length - 1) {
          chargeCall(frame, cost, [...values, null], value);
        }
        return value;
      }
      values.push(value);
    }
    let outcome: Outcome;
    try {
      values.forEach(countReading);
      outcome = implementation(...values);
    } catch (thrown) {
      outcome = caughtError(thrown);
    }
    chargeCall(frame, cost, values, outcome);
    return outcome;
  };
}

function chargeCall(frame: Frame, cost: Cost | undefined, values: readonly CelValue[], outcome: Outcome): void {
  frame.charge(cost === undefined ? 1 : cost(values, valueOrNull(outcome)));
}

/** Returns a value, or null for an error, which is of the same size to those who compute costs. */
function valueOrNull(outcome: Outcome): CelValue {
  return isError(outcome) ? null : outcome;
}
