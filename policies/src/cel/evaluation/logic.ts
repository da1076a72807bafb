import { isError, noSuchOverload, notBoolean, type Step } from "./frame.js";

/** Returns the step of `left && right`: an operand that is false decides, also beside one that has failed. */
export function andStep(left: Step, right: Step): Step {
  return (frame) => {
    const first = left(frame);
    if (first === false) {
      return false;
    }
    const second = right(frame);
    if (second === false) {
      return false;
    }
    return first !== true ? notBoolean(first) : second === true ? true : notBoolean(second);
  };
}

/** Returns the step of `left || right`: an operand that is true decides, also beside one that has failed. */
export function orStep(left: Step, right: Step): Step {
  return (frame) => {
    const first = left(frame);
    if (first === true) {
      return true;
    }
    const second = right(frame);
    if (second === true) {
      return true;
    }
    return first !== false ? notBoolean(first) : second === false ? false : notBoolean(second);
  };
}

/** Returns the step of `!operand`. */
export function notStep(operand: Step): Step {
  return (frame) => {
    const value = operand(frame);
    frame.charge(1);
    return typeof value === "boolean" ? !value : isError(value) ? value : noSuchOverload;
  };
}

/** Returns the step that loops ask whether to go on: of everything but false. */
export function notFalseStep(operand: Step): Step {
  return (frame) => {
    const value = operand(frame);
    frame.charge(1);
    return value !== false;
  };
}
