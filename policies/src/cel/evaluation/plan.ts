import type { CelValue } from "../values/value.js";
import type { Step } from "./frame.js";
import type { SelectionPath } from "./selection-path.js";

/** A compiled node, and facts about it that the nodes around it make use of. */
export interface Plan {
  readonly run: Step;
  /** The value of a node that is known before evaluation and costs nothing. Undefined: not known. */
  readonly literal?: CelValue | undefined;
  /** The path of selections that the node is. Undefined: the node is something else. */
  readonly path?: SelectionPath | undefined;
}

/** Returns the plan of a node whose value is known. */
export function literalPlan(value: CelValue): Plan {
  return { run: () => value, literal: value };
}
