import { patternOf } from "../../patterns/index.js";
import { toDuration, toTimestamp } from "../values/conversion.js";
import { EvaluationError } from "../values/evaluation-error.js";
import type { CelValue } from "../values/value.js";
import type { Library, Settings } from "./library.js";

const settings: Settings = {
  presenceTestCost: 0,
  literalValidators: [
    { functionName: "duration", argument: 0, validate: toDuration },
    { functionName: "timestamp", argument: 0, validate: toTimestamp },
    // Index 0 is the pattern of the member function only; v1.29 takes the text of the other form for one as well.
    { functionName: "matches", argument: 0, validate: validatePattern },
  ],
};

/** The settings of release 1.29. Expressions of new objects do without them until the release before it has them. */
export const literalValidation: Library = {
  name: "literal validation",
  introduced: [1, 29],
  functions: [],
  settings,
};

function validatePattern(value: CelValue): void {
  const problem = typeof value === "string" ? patternOf(value).problem : "no such overload";
  if (problem !== undefined) {
    throw new EvaluationError(problem);
  }
}
