import { isJsonObject, type JsonObject } from "@gatehouse/envelopes/json";
import { finishSteps, type Steps } from "@gatehouse/envelopes/scheduling";
import { storedExpressions } from "../../cel/index.js";
import { type CompiledRule, compileRules, type Environments, type ObserveRules } from "./compile-rules.js";
import { declareSchema, propertiesOf } from "./declare-schema.js";
import type { DeclaredType } from "./declared-type.js";
import type { ExpressionMetrics } from "./expression-metrics.js";
import { estimatedCost, estimatedRuleCost, maxValuesBelow, ruleCostProblem, TotalRuleCost } from "./rule-costs.js";

const storedEnvironments: Environments = {
  ofRule: () => storedExpressions,
  ofMessage: () => storedExpressions,
};

const noRules: readonly CompiledRule[] = [];

/** A node of a schema that has rules, or from which nodes with rules are reached. */
export class RuleNode {
  readonly schema: JsonObject;
  readonly declared: DeclaredType;
  readonly items: RuleNode | undefined;
  readonly properties: ReadonlyMap<string, RuleNode>;
  /** The node of the values of a map. */
  readonly values: RuleNode | undefined;
  readonly #observe: ObserveRules | undefined;
  #rules: readonly CompiledRule[] | undefined;
  /** The compilation that goes on, for all who wait for it. */
  #compilation: Steps | undefined;

  constructor(schema: JsonObject, declared: DeclaredType, observe?: ObserveRules) {
    this.#observe = observe;
    this.schema = schema;
    this.declared = declared;
    const { items, additionalProperties } = schema;
    const elements = declared.kind === "list" || declared.kind === "map" ? declared.elements : undefined;
    this.items = ruleNode(items, elements, below(observe, "items"));
    this.values = ruleNode(additionalProperties, elements, below(observe, "additionalProperties"));
    this.properties = propertyNodes(schema, declared, observe);
  }

  /** True if there is a rule for a value that leads to this node. */
  get isUseful(): boolean {
    return this.#hasOwnRules || this.items !== undefined || this.values !== undefined || this.properties.size > 0;
  }

  get #hasOwnRules(): boolean {
    const rules = this.schema["x-kubernetes-validations"];
    return Array.isArray(rules) && rules.length > 0;
  }

  /** The rules of the node itself; undefined if they have to be compiled. */
  get rules(): readonly CompiledRule[] | undefined {
    return this.#rules;
  }

  /**
   * Compiles the rules of the node itself, once, in steps of one rule. Called when a value first leads to them. Callers
   * that come while it goes on take turns with the steps.
   */
  *compile(metrics?: ExpressionMetrics): Steps<readonly CompiledRule[]> {
    while (this.#rules === undefined) {
      this.#compilation ??= this.#compileOwn(metrics);
      if (this.#compilation.next().done !== true) {
        yield;
      }
    }
    return this.#rules;
  }

  *#compileOwn(metrics: ExpressionMetrics | undefined): Steps {
    try {
      const listeners = { metrics, observe: this.#observe };
      const rules = this.#hasOwnRules
        ? compileRules(this.schema, this.declared, storedEnvironments, listeners)
        : noRules;
      const compiled: CompiledRule[] = [];
      for (const rule of rules) {
        compiled.push(rule);
        yield;
      }
      this.#rules = compiled;
    } finally {
      // Whoever comes after a failure begins anew, and has no part of the rules in place of all.
      this.#compilation = undefined;
    }
  }

  /**
   * Compiles the rules of this node and of all nodes below it, in the order of the schema. Returns the problems for which a
   * server refuses the schema: of rules that do not compile, and of those whose estimated cost is too high.
   */
  compileAll(): readonly RuleProblem[] {
    const total = new TotalRuleCost<string>();
    return [...this.#problems("", 1n, total), ...total.problems("")];
  }

  /** Returns the problems of the rules at a path and below. `maxValues`: the number of values that an object may have here. */
  #problems(at: string, maxValues: bigint | undefined, total: TotalRuleCost<string>): readonly RuleProblem[] {
    const own = finishSteps(this.compile()).flatMap((rule, index) =>
      this.#problemsOfRule(rule, `${at}x-kubernetes-validations[${index}]`, maxValues, total),
    );
    const nodes: readonly (readonly [step: string, node: RuleNode | undefined])[] = [
      ["items", this.items],
      ["additionalProperties", this.values],
      ...[...this.properties].map(([name, node]) => [`properties[${name}]`, node] as const),
    ];
    const maxBelow = maxValuesBelow(this.schema, maxValues);
    const below = nodes.map(([step, node]) =>
      node === undefined ? [] : node.#problems(`${at}${step}.`, maxBelow, total),
    );
    return [...own, ...below.flat()];
  }

  #problemsOfRule(
    { expression, problem, messageExpression, messageProblem }: CompiledRule,
    path: string,
    maxValues: bigint | undefined,
    total: TotalRuleCost<string>,
  ): readonly RuleProblem[] {
    const found: RuleProblem[] = [];
    const add = (member: "rule" | "messageExpression", cost: bigint, other: string | undefined): void => {
      const place = `${path}.${member}`;
      total.add(place, cost);
      const problems = [ruleCostProblem(member, cost), other].filter((text) => text !== undefined);
      found.push(...problems.map((text) => ({ path: place, problem: text })));
    };
    add("rule", expression === undefined ? 0n : estimatedRuleCost(expression, this.declared, maxValues), problem);
    const message = messageExpression === undefined ? 0n : estimatedCost(messageExpression, this.declared);
    add("messageExpression", message, messageProblem);
    return found;
  }
}

/** A rule that does not compile or costs too much. */
export interface RuleProblem {
  /** The place below the schema: `properties[spec].x-kubernetes-validations[0].rule`. Empty for the schema itself. */
  readonly path: string;
  readonly problem: string;
}

/**
 * Returns the rules of a structural schema, at every level; undefined if it has none. `isRoot` is true for the schema of
 * an object with kind, apiVersion and metadata. `observe` returns the observers of the expressions by their paths below the
 * schema, such as `properties[spec].x-kubernetes-validations[0].rule`.
 */
export function rulesOfSchema(schema: JsonObject, isRoot: boolean, observe?: ObserveRules): RuleNode | undefined {
  return hasRules(schema) ? ruleNode(schema, declareSchema(schema, isRoot), observe) : undefined;
}

/** Returns the observers of the expressions of a node below another one, by their paths below that one. */
function below(observe: ObserveRules | undefined, step: string): ObserveRules | undefined {
  return observe && ((path) => observe(`${step}.${path}`));
}

function ruleNode(
  schema: JsonObject[string] | undefined,
  declared: DeclaredType | undefined,
  observe: ObserveRules | undefined,
): RuleNode | undefined {
  if (schema === undefined || !isJsonObject(schema) || declared === undefined) {
    return undefined;
  }
  const node = new RuleNode(schema, declared, observe);
  return node.isUseful ? node : undefined;
}

function propertyNodes(
  schema: JsonObject,
  declared: DeclaredType,
  observe: ObserveRules | undefined,
): ReadonlyMap<string, RuleNode> {
  const fields = new Map(
    declared.kind === "object" ? [...declared.fields.values()].map(({ property, type }) => [property, type]) : [],
  );
  const nodes = new Map<string, RuleNode>();
  for (const [name, property] of propertiesOf(schema)) {
    // A property that expressions cannot name has rules of its own nevertheless.
    const type = fields.get(name) ?? (hasRules(property) ? declareSchema(property) : undefined);
    const node = ruleNode(property, type, below(observe, `properties[${name}]`));
    if (node !== undefined) {
      nodes.set(name, node);
    }
  }
  return nodes;
}

/** Reports whether a structural schema has rules, at any level. */
export function hasRules(schema: JsonObject): boolean {
  const { "x-kubernetes-validations": rules, items, additionalProperties } = schema;
  return (
    (Array.isArray(rules) && rules.length > 0) ||
    (isJsonObject(items) && hasRules(items)) ||
    (isJsonObject(additionalProperties) && hasRules(additionalProperties)) ||
    propertiesOf(schema).some(([, property]) => hasRules(property))
  );
}
