import { matchWork, patternOf } from "../../../patterns/index.js";
import { EvaluationError } from "../../values/evaluation-error.js";
import { sizeOf } from "../../values/size.js";
import { type CelValue, Duration, Timestamp } from "../../values/value.js";
import { countWork } from "../../values/work.js";
import { evaluatedPattern } from "../evaluated-pattern.js";
import type { FunctionDefinition, Overload } from "../library.js";
import { affixCost, patternCost, searchCost } from "./costs.js";

/** The size of values, and functions of strings. */
export const texts: readonly FunctionDefinition[] = [
  {
    name: "size",
    overloads: ["bytes", "list(A)", "map(A, B)", "string"].flatMap((type): Overload[] => [
      { signature: `(${type}) -> int`, call: size, checksArguments: true },
      { signature: `${type}.() -> int`, call: size, checksArguments: true },
    ]),
  },
  textTest("contains", (text, part) => text.includes(part), searchCost),
  textTest("endsWith", (text, end) => text.endsWith(end), affixCost),
  textTest("startsWith", (text, start) => text.startsWith(start), affixCost),
  {
    name: "matches",
    overloads: [
      { signature: "(string, string) -> bool", call: matches, checksArguments: true, prepare: checkPattern },
      {
        signature: "string.(string) -> bool",
        call: matches,
        checksArguments: true,
        prepare: checkPattern,
        ...patternCost,
      },
    ],
  },
];

function textTest(
  name: string,
  test: (text: string, other: string) => boolean,
  cost: Pick<Overload, "cost" | "estimate">,
): FunctionDefinition {
  const call = (text: CelValue, other: CelValue): boolean => {
    if (typeof text !== "string" || typeof other !== "string") {
      throw new EvaluationError("no such overload");
    }
    return test(text, other);
  };
  const overload: Overload = { signature: "string.(string) -> bool", call: call as Overload["call"], ...cost };
  return { name, overloads: [{ ...overload, checksArguments: true }] };
}

function size(value: CelValue): number {
  const found = sizeOf(value);
  if (found === undefined) {
    // Timestamps and durations answer for themselves in v1.29.
    const isTime = value instanceof Timestamp || value instanceof Duration;
    throw new EvaluationError(isTime ? "no such overload" : "no such overload: size");
  }
  return found;
}

function matches(text: CelValue, source: CelValue): boolean {
  if (typeof text !== "string" || typeof source !== "string") {
    throw new EvaluationError(typeof text === "string" ? "no such overload" : "no such overload: matches");
  }
  const pattern = evaluatedPattern(source);
  if (pattern.problem !== undefined) {
    throw new EvaluationError(pattern.problem);
  }
  if (pattern.isTooLong(text)) {
    throw new EvaluationError("text is too long to be matched against the pattern");
  }
  countWork(matchWork(pattern, text));
  return pattern.matches(text);
}

function checkPattern([, source]: readonly (CelValue | undefined)[]): void {
  const problem = typeof source === "string" ? patternOf(source).problem : undefined;
  if (problem !== undefined) {
    throw new EvaluationError(problem);
  }
}
