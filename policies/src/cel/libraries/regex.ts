import { matchWork, type Pattern, patternOf } from "../../patterns/index.js";
import { type Range, unknownSize } from "../cost/range.js";
import { EvaluationError, WorkInterruption } from "../values/evaluation-error.js";
import type { CelValue } from "../values/value.js";
import { countWork } from "../values/work.js";
import { inRules } from "./call-cost.js";
import { evaluatedPattern } from "./evaluated-pattern.js";
import type { CallEstimate, EstimatedCall, Library } from "./library.js";
import { patternCost } from "./standard/costs.js";
import { typedCall } from "./typed-call.js";

/** The work of finding one part of a text. */
const partWork = 300;

/** The functions that find patterns in texts. */
export const regex: Library = {
  name: "regex",
  introduced: [1, 0],
  functions: [
    {
      name: "find",
      overloads: [
        {
          signature: "string.(string) -> string",
          call: typedCall((text: string, source: string) => findAll(text, source, 1)[0] ?? ""),
          prepare: checkPattern,
          ...inRules(patternCost.cost),
          estimate: estimateSearch,
        },
      ],
    },
    {
      name: "findAll",
      overloads: ["string.(string) -> list(string)", "string.(string, int) -> list(string)"].map((signature) => ({
        signature,
        call: typedCall<[string, string, number | bigint]>(findAll),
        prepare: checkPattern,
        ...inRules(patternCost.cost),
        estimate: estimateSearch,
      })),
    },
  ],
};

function findAll(text: string, source: string, limit: number | bigint = -1): string[] {
  const pattern = checkedPattern(source, text);
  countWork(matchWork(pattern, text));
  const found = pattern.findAll(text, Number(limit));
  countWork((found?.length ?? 0) * partWork);
  if (found === undefined) {
    throw new WorkInterruption();
  }
  return found;
}

function checkedPattern(source: string, text: string): Pattern {
  const pattern = evaluatedPattern(source);
  if (pattern.problem !== undefined) {
    throw new EvaluationError(`Illegal regex: ${pattern.problem}`);
  }
  if (pattern.isTooLong(text)) {
    throw new EvaluationError(`a text of ${text.length} characters is too long to be matched against '${source}'`);
  }
  return pattern;
}

function checkPattern([, source]: readonly (CelValue | undefined)[]): void {
  const problem = typeof source === "string" ? patternOf(source).problem : undefined;
  if (problem !== undefined) {
    throw new EvaluationError(problem);
  }
}

/** Estimates a search, of which each character may be a result of its own. */
function estimateSearch(sizes: readonly Range[], call: EstimatedCall): CallEstimate {
  return { ...patternCost.estimate(sizes, call), resultSize: { min: 0n, max: (sizes[0] ?? unknownSize).max } };
}
