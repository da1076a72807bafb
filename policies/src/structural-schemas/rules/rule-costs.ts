import { type JsonObject, textAt } from "@gatehouse/envelopes/json";
import type { CompiledExpression } from "../../cel/index.js";
import { maxRequestBytes } from "./declare-schema.js";
import { type DeclaredType, sizeAt } from "./declared-type.js";

/** The limit of the estimated cost of one rule, times the number of values that it may be evaluated for. */
const maxRuleCost = 10_000_000n;

/** The limit of the estimated cost of all rules of a schema. */
const maxTotalCost = 100_000_000n;

const maxUint64 = 2n ** 64n - 1n;

/** The number of rules that an error about the total cost names. */
const maxNamed = 4;

/** The estimated cost of all rules of a schema, whose places are told by paths of some form. */
export class TotalRuleCost<Path> {
  #total = 0n;
  /** The rules that cost most, in descending order of cost. */
  #most: readonly { readonly path: Path; readonly cost: bigint }[] = [];

  add(path: Path, cost: bigint): void {
    const total = this.#total + cost;
    this.#total = total > maxUint64 ? maxUint64 : total;
    // Rules that contribute less than one percent are not worth a word.
    if (cost >= maxTotalCost / 100n) {
      this.#most = [...this.#most, { path, cost }]
        .sort((a, b) => (a.cost > b.cost ? -1 : a.cost < b.cost ? 1 : 0))
        .slice(0, maxNamed);
    }
  }

  /** Returns the problems of rules that cost too much together: those of the largest rules, and that of the schema. */
  problems(schemaPath: Path): readonly { readonly path: Path; readonly problem: string }[] {
    if (this.#total <= maxTotalCost) {
      return [];
    }
    const problem = "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema";
    const name = "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema";
    return [
      ...this.#most.map(({ path }) => ({ path, problem })),
      { path: schemaPath, problem: costProblem(name, this.#total, maxTotalCost) },
    ];
  }
}

/** Returns the estimated cost of a rule for all values of an object. `maxValues`: their bound; undefined for none. */
export function estimatedRuleCost(
  expression: CompiledExpression,
  declared: DeclaredType,
  maxValues: bigint | undefined,
): bigint {
  const times = maxValues ?? BigInt(Math.floor(maxRequestBytes / (declared.minBytes + 1)));
  return multiplyCosts(estimatedCost(expression, declared), times);
}

/** Returns the estimated cost of an expression for one value of a type. */
export function estimatedCost(expression: CompiledExpression, declared: DeclaredType): bigint {
  return expression.estimate((path) => sizeAt(declared, path)).max;
}

/** Returns the problem of one rule or message that costs too much; undefined if it may cost so much. */
export function ruleCostProblem(member: "rule" | "messageExpression", cost: bigint): string | undefined {
  return cost > maxRuleCost ? costProblem(`estimated ${member} cost`, cost, maxRuleCost) : undefined;
}

/**
 * Returns the number of values that an object may have below a node of its schema, at each of the nodes there. `maxValues`:
 * the number at the node itself. Undefined where there is no bound.
 */
export function maxValuesBelow(schema: JsonObject, maxValues: bigint | undefined): bigint | undefined {
  const factor = maxPartsOf(schema);
  return maxValues === undefined || factor === undefined ? undefined : multiplyCosts(maxValues, factor);
}

/** Returns the number of values that one value of a schema may have at each node below it. */
function maxPartsOf(schema: JsonObject): bigint | undefined {
  const type = textAt(schema, "type");
  const { additionalProperties } = schema;
  if (type === "object" && additionalProperties !== undefined && additionalProperties !== null) {
    return boundOf(schema, "maxProperties");
  }
  return type === "array" ? boundOf(schema, "maxItems") : 1n;
}

function boundOf(schema: JsonObject, member: string): bigint | undefined {
  const bound = schema[member];
  if (typeof bound !== "number" && typeof bound !== "bigint") {
    return undefined;
  }
  return bound < 0 ? 0n : BigInt(bound);
}

/** Returns the product, within 64 bits. */
function multiplyCosts(a: bigint, b: bigint): bigint {
  const product = a * b;
  return product > maxUint64 ? maxUint64 : product;
}

function costProblem(name: string, cost: bigint, limit: bigint): string {
  const factor = Number(cost) / Number(limit);
  const shown = factor > 100 ? "more than 100x" : factor < 1.5 ? `${factor.toFixed(6)}x` : `${factor.toFixed(1)}x`;
  const advice =
    "try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared";
  return `${name} exceeds budget by factor of ${shown} (${advice})`;
}
