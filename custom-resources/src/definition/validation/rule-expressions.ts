import type { StrategyContext } from "@gatehouse/apiserver/registry";
import type { FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { isJsonObject, type JsonObject, type JsonValue, listAt } from "@gatehouse/envelopes/json";
import type { Steps } from "@gatehouse/envelopes/scheduling";
import {
  type CompiledRule,
  compileRules,
  type DeclaredType,
  type Environments,
  estimatedCost,
  estimatedRuleCost,
  ruleCostProblem,
  type TotalRuleCost,
} from "@gatehouse/policies/structural-schemas";
import { isPresent } from "../../schema/structural-form.js";
import { goRule } from "./go-schema.js";
import type { RuleScope } from "./rule-scope.js";

/** The facts about a definition that its expressions depend on. */
export interface RuleDemands extends Environments {
  /** Set where single rules may not cost more than the limit: unless the schema is stored already. */
  readonly limitsCost: boolean;
  readonly metrics: StrategyContext["expressionMetrics"];
}

/** A node of a schema that has rules, and their place. */
export interface NodeWithRules {
  readonly scope: RuleScope;
  /** The path of the node. */
  readonly path: FieldPath;
  /** The nearest node above whose values have no old values; undefined where `oldSelf` may be used. */
  readonly uncorrelated: FieldPath | undefined;
}

/** Compiles the rules of a node and validates their types and costs, in v1.29's order and words. */
export function* validateRuleExpressions(
  { scope, path, uncorrelated }: NodeWithRules,
  demands: RuleDemands,
  total: TotalRuleCost<FieldPath>,
  errors: FieldErrors,
): Steps {
  const { declared, schema } = scope;
  const at = path.child("x-kubernetes-validations");
  if (declared === undefined) {
    const problem = "unable to convert structural schema to CEL declarations";
    errors.internal(
      at,
      `internal error: failed to construct type information for x-kubernetes-validations rules: ${problem}`,
    );
    return;
  }
  const sources = listAt(schema, "x-kubernetes-validations").filter(isJsonObject);
  let index = 0;
  for (const rule of compileRules(schema, declared, demands, { metrics: demands.metrics })) {
    const validation = new RuleValidation(rule, sources[index] ?? {}, at.index(index), demands.limitsCost, errors);
    validation.validateRule(scope, declared, total);
    validation.validateMessage(declared, total);
    validation.validateOldSelf(uncorrelated);
    index++;
    yield;
    if (errors.isFull) {
      return;
    }
  }
}

/** The validation of one rule after the other of its parts. */
class RuleValidation {
  readonly #rule: CompiledRule;
  readonly #source: JsonObject;
  readonly #path: FieldPath;
  readonly #limitsCost: boolean;
  readonly #errors: FieldErrors;

  constructor(rule: CompiledRule, source: JsonObject, path: FieldPath, limitsCost: boolean, errors: FieldErrors) {
    this.#rule = rule;
    this.#source = source;
    this.#path = path;
    this.#limitsCost = limitsCost;
    this.#errors = errors;
  }

  validateRule(scope: RuleScope, declared: DeclaredType, total: TotalRuleCost<FieldPath>): void {
    const { expression, problem } = this.#rule;
    const at = this.#path.child("rule");
    const cost = expression === undefined ? 0n : estimatedRuleCost(expression, declared, scope.maxValues);
    this.#limit("rule", at, cost);
    total.add(at, cost);
    if (problem !== undefined) {
      this.#errors.invalidShown(at, goRule(this.#source), problem);
    }
  }

  validateMessage(declared: DeclaredType, total: TotalRuleCost<FieldPath>): void {
    const { messageExpression, messageProblem } = this.#rule;
    const at = this.#path.child("messageExpression");
    if (messageProblem !== undefined) {
      this.#errors.invalidShown(at, goRule(this.#source), messageProblem);
    } else if (messageExpression !== undefined) {
      const cost = estimatedCost(messageExpression, declared);
      this.#limit("messageExpression", at, cost);
      total.add(at, cost);
    }
  }

  validateOldSelf(uncorrelated: FieldPath | undefined): void {
    const { usesOldSelf, source } = this.#rule;
    const stated: JsonValue | undefined = this.#source["optionalOldSelf"];
    if (usesOldSelf && uncorrelated !== undefined) {
      const problem = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelated}`;
      this.#errors.invalid(this.#path.child("rule"), source.rule, problem);
    } else if (!usesOldSelf && isPresent(stated)) {
      this.#errors.invalid(
        this.#path.child("optionalOldSelf"),
        stated,
        "may not be set if oldSelf is not used in rule",
      );
    }
  }

  #limit(member: "rule" | "messageExpression", path: FieldPath, cost: bigint): void {
    const problem = this.#limitsCost ? ruleCostProblem(member, cost) : undefined;
    if (problem !== undefined) {
      this.#errors.forbidden(path, problem);
    }
  }
}
