import type { Range } from "../cost/range.js";
import type { CelType } from "../types/cel-type.js";
import type { CelValue } from "../values/value.js";
import type { MessageType } from "./message-type.js";

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
  /** Messages that expressions may build. */
  readonly messages?: readonly MessageType[];
  /** Constants that expressions may name, by their names. */
  readonly constants?: ReadonlyMap<string, CelValue>;
  /** Settings that differ where the library is in use. */
  readonly settings?: Partial<Settings>;
}

/** Rules of the language that differ by release. */
export interface Settings {
  /** The cost of `has(a.b)`, beside that of `a`. */
  readonly presenceTestCost: 0 | 1;
  /** Literals that are looked at before an expression is ever evaluated. */
  readonly literalValidators: readonly LiteralValidator[];
}

/** A check of an argument that is a literal, such as the text of a duration. */
export interface LiteralValidator {
  readonly functionName: string;
  /** Index of the argument; the target of a member function is none. */
  readonly argument: number;
  /** Throws EvaluationError if no call with this value can succeed. */
  readonly validate: (value: CelValue) => void;
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
  /** True: `call` checks the types of its arguments itself, so that it knows the message for those that do not fit. */
  readonly checksArguments?: true;
  /** True: a call with a literal is computed once, when the expression is compiled, and costs nothing. */
  readonly foldsLiteral?: true;
  /**
   * Called when an expression is compiled, with the arguments that are literals. Throws EvaluationError if no call with
   * them can succeed, such as for a pattern that is invalid.
   */
  readonly prepare?: (literals: readonly (CelValue | undefined)[]) => void;
  /**
   * Returns the cost of a call that has returned `result`. Default: 1. An argument or result that is an error is given as
   * null. Where several overloads fit a call and their costs are not the same function, the call costs 1.
   */
  readonly cost?: (args: readonly CelValue[], result: CelValue) => number;
  /** True: the cost is counted in rules of custom resources only, as in v1.29; elsewhere a call costs 1. */
  readonly costsInRulesOnly?: true;
  /**
   * Estimates the cost of a call, and the size of its result, from the sizes of its arguments, the target of a member
   * function first. The cost of the arguments themselves is none of it. Default: 1, unknown.
   */
  readonly estimate?: (sizes: readonly Range[], call: EstimatedCall) => CallEstimate;
}

/** Facts about a call beside the sizes of its arguments. `index`: of an argument, the target of a member function first. */
export interface EstimatedCall {
  /** Returns the type of an argument, as far as it is known before evaluation. */
  typeOf(index: number): CelType;
  /** Returns bounds of the sizes of the elements of a list; undefined if the argument is not known to be one. */
  elementSize(index: number): Range | undefined;
  /** Returns the value of an argument that is a literal; undefined if it is none. */
  literal(index: number): CelValue | undefined;
}

/** The estimate of a call. */
export interface CallEstimate {
  readonly cost: Range;
  /** The size of the result, if it is known. */
  readonly resultSize?: Range | undefined;
}
