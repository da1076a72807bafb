import { goAggregate } from "@gatehouse/envelopes/go";
import { type JsonArray, textAt } from "@gatehouse/envelopes/json";
import { andThen, type MaybePromise, type StepContext } from "@gatehouse/envelopes/scheduling";
import { type ObserveExpression, type Variables, workOfLastEvaluation } from "../cel/index.js";
import { admissionDeclarations } from "./admission-declarations.js";
import { compileTypedExpression } from "./compile-typed-expression.js";
import { evaluateExpressions, type ListedExpression, type ListResult } from "./evaluate-expressions.js";

/** The cost that all match conditions of one webhook or policy may have together for one write. */
const matchConditionsBudget = 2_500_000;

/** The cost that a condition may have to be evaluated without giving way to other work: some microseconds. */
const lowCost = 1000;
/** The work that it may do beside, in units of about a nanosecond. */
const littleWork = 200_000;

/** The outcome of match conditions. `error`: they have failed, which stops the write. */
export type MatchOutcome = "matches" | "excluded" | { readonly error: string };

/** The match conditions of a webhook or policy, as stored, and the place that they have. */
export interface MatchConditionsInit {
  readonly conditions: JsonArray;
  /** True if the conditions may use `params`. */
  readonly hasParams: boolean;
  /** True if a failure excludes the write (`failurePolicy: Ignore`). */
  readonly ignoresFailure: boolean;
  /** Returns the observer of the condition at an index. Absent where nobody observes. */
  readonly observe?: ((index: number) => ObserveExpression) | undefined;
}

/** Match conditions of a webhook or policy, compiled once, for the first write that they are about. */
export class MatchConditions {
  readonly #sources: readonly string[];
  readonly #hasParams: boolean;
  readonly #ignoresFailure: boolean;
  readonly #observe: MatchConditionsInit["observe"];
  #compiled: readonly ListedExpression[] | undefined;

  constructor({ conditions, hasParams, ignoresFailure, observe }: MatchConditionsInit) {
    this.#sources = conditions.map((condition) => textAt(condition, "expression"));
    this.#hasParams = hasParams;
    this.#ignoresFailure = ignoresFailure;
    this.#observe = observe;
  }

  /**
   * Evaluates the conditions of a write. One that is false excludes it, whatever the others are; without one, those that
   * have failed do what the failure policy says. All are evaluated, since all count toward the budget. Rejects with 504
   * when the write ends first. `countError` is called for each condition that has failed.
   */
  match(variables: Variables, write: StepContext, countError: () => void = countNothing): MaybePromise<MatchOutcome> {
    const ended = evaluateExpressions(this.expressions, { variables, budget: matchConditionsBudget, write });
    return andThen(ended, (result) => this.#outcomeOf(result, countError));
  }

  /**
   * Returns the outcome if evaluation costs little and all conditions have a value at once. Undefined where `match` has to
   * tell.
   */
  matchAtOnce(variables: Variables): "matches" | "excluded" | undefined {
    if (this.#observe !== undefined) {
      // Observers are told of each evaluation once: of that by `match`.
      return undefined;
    }
    // Compiled by the first `match`: to compile takes long, and others may run before the next policy is compiled.
    if (this.#compiled === undefined) {
      return undefined;
    }
    let isExcluded = false;
    for (const { expression } of this.#compiled) {
      const value = expression?.evaluate(variables, lowCost).value;
      if (value === undefined || workOfLastEvaluation() > littleWork) {
        return undefined;
      }
      isExcluded ||= value === false;
    }
    return isExcluded ? "excluded" : "matches";
  }

  /** The conditions, compiled. */
  get expressions(): readonly ListedExpression[] {
    if (this.#compiled === undefined) {
      const declarations = admissionDeclarations({ hasParams: this.#hasParams, hasAuthorizer: true }, "stored");
      this.#compiled = this.#sources.map((source, index) => ({
        source,
        ...compileTypedExpression(source, declarations, ["bool"], this.#observe?.(index)),
      }));
    }
    return this.#compiled;
  }

  #outcomeOf({ results, problem }: ListResult, countError: () => void): MatchOutcome {
    if (results === undefined) {
      return this.#failure([problem]);
    }
    const errors: string[] = [];
    for (const { value, error } of results) {
      if (error !== undefined) {
        errors.push(error);
        countError();
      } else if (value === false) {
        return "excluded";
      }
    }
    return errors.length === 0 ? "matches" : this.#failure(errors);
  }

  #failure(errors: readonly string[]): MatchOutcome {
    return this.#ignoresFailure ? "excluded" : { error: goAggregate(errors) };
  }
}

function countNothing(): void {}
