import type { Range } from "../cost/range.js";
import type { CelType } from "../types/cel-type.js";
import type { CelValue } from "../values/value.js";

/** A release of Kubernetes: `[1, 29]`. */
export type Release = readonly [major: number, minor: number];

/** Functions that come and go together. Libraries are data: one of a later release is one more of these. */
export interface Library {
  readonly name: string;
  /** The release whose new expressions may use it. Stored expressions may use it always. */
  readonly introduced: Release;
  /** The release from which another library takes its place. */
  readonly removed?: Release;
  readonly functions: readonly FunctionDefinition[];
  /** Types that expressions may name, by their names. */
  readonly types?: ReadonlyMap<string, CelType>;
}

/** A function with one or more overloads. */
export interface FunctionDefinition {
  /** The name, of operators as in `_+_`, of qualified functions as in `optional.of`. */
  readonly name: string;
  readonly overloads: readonly Overload[];
}

/** One form of a function, for arguments of certain types. */
export interface Overload {
  /**
   * The types: `(string, int) -> bool`, or `string.(int) -> bool` for a member function of a string. Capital letters are
   * type parameters: `list(A).(A) -> int`. Names of other types are those of the library: `kubernetes.Quantity`.
   */
  readonly signature: string;
  /**
   * Computes the result; the target of a member function is the first argument. Called only with values of the types of
   * the signature, where those are known. Throws EvaluationError.
   */
  readonly call: (...args: CelValue[]) => CelValue;
  /** Returns the cost of a call that has returned `result`. Default: 1. */
  readonly cost?: (args: readonly CelValue[], result: CelValue) => number;
  /** Estimates the cost of a call, and the size of its result, from the sizes of its arguments. Default: 1, unknown. */
  readonly estimate?: (sizes: readonly Range[]) => CallEstimate;
}

/** The estimate of a call. */
export interface CallEstimate {
  readonly cost: Range;
  /** The size of the result, if it is known. */
  readonly resultSize?: Range | undefined;
}
