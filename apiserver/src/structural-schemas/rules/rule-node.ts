import { isJsonObject, type JsonObject } from "@gatehouse/envelopes/json";
import type { Steps } from "@gatehouse/envelopes/scheduling";
import { storedExpressions } from "@gatehouse/policies/cel";
import type { ExpressionMetrics } from "../../request/expression-metrics.js";
import { type CompiledRule, compileRules, type Environments } from "./compile-rules.js";
import { declareSchema, propertiesOf } from "./declare-schema.js";
import type { DeclaredType } from "./declared-type.js";

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
  #rules: readonly CompiledRule[] | undefined;

  constructor(schema: JsonObject, declared: DeclaredType) {
    this.schema = schema;
    this.declared = declared;
    const { items, additionalProperties } = schema;
    const elements = declared.kind === "list" || declared.kind === "map" ? declared.elements : undefined;
    this.items = ruleNode(items, elements);
    this.values = ruleNode(additionalProperties, elements);
    this.properties = propertyNodes(schema, declared);
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

  /** Compiles the rules of the node itself, once, in steps of one rule. Called when a value first leads to them. */
  *compile(metrics: ExpressionMetrics): Steps<readonly CompiledRule[]> {
    const rules: CompiledRule[] = [];
    for (const rule of this.#hasOwnRules
      ? compileRules(this.schema, this.declared, storedEnvironments, metrics)
      : noRules) {
      rules.push(rule);
      yield;
    }
    this.#rules = rules;
    return rules;
  }
}

/**
 * Returns the rules of a structural schema, at every level; undefined if it has none. `isRoot` is true for the schema of
 * an object with kind, apiVersion and metadata.
 */
export function rulesOfSchema(schema: JsonObject, isRoot: boolean): RuleNode | undefined {
  return hasRules(schema) ? ruleNode(schema, declareSchema(schema, isRoot)) : undefined;
}

function ruleNode(schema: JsonObject[string] | undefined, declared: DeclaredType | undefined): RuleNode | undefined {
  if (schema === undefined || !isJsonObject(schema) || declared === undefined) {
    return undefined;
  }
  const node = new RuleNode(schema, declared);
  return node.isUseful ? node : undefined;
}

function propertyNodes(schema: JsonObject, declared: DeclaredType): ReadonlyMap<string, RuleNode> {
  const fields = new Map(
    declared.kind === "object" ? [...declared.fields.values()].map(({ property, type }) => [property, type]) : [],
  );
  const nodes = new Map<string, RuleNode>();
  for (const [name, property] of propertiesOf(schema)) {
    // A property that expressions cannot name has rules of its own nevertheless.
    const node = ruleNode(property, fields.get(name) ?? (hasRules(property) ? declareSchema(property) : undefined));
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
