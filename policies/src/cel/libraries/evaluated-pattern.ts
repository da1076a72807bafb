import { type Pattern, patternOf } from "../../patterns/index.js";
import { countWorkOnce } from "../values/work.js";

/**
 * Returns the pattern that an expression names. Counts the work of compiling it, also where that has been done before: how much
 * an expression may do must not depend on others. Throws WorkInterruption.
 */
export function evaluatedPattern(source: string): Pattern {
  const pattern = patternOf(source);
  countWorkOnce(source, pattern.compileWork);
  return pattern;
}
