import { isJsonObject, type JsonArray, type JsonValue } from "@gatehouse/envelopes/json";
import { JsonPathError } from "../../errors/errors.js";
import type { JsonPath, PathNode } from "./node.js";

/** The limit of values that a path may visit: one that descends repeatedly could otherwise take minutes. */
const maxVisits = 100_000;

/** A budget of values that several paths may visit together; each of them has its own limit, too. */
export class VisitBudget {
  #left: number;

  constructor(visits: number) {
    this.#left = visits;
  }

  /** Throws JsonPathError when there are none left. */
  spend(visits: number): void {
    this.#left -= visits;
    if (this.#left < 0) {
      throw new JsonPathError("the paths lead to too many values");
    }
  }
}

/**
 * Returns the values at a path in a value. Missing members yield nothing; an index outside its list, a filter on
 * anything but a list, and more visited values than the budget allows throw JsonPathError.
 */
export function evaluateJsonPath(path: JsonPath, value: JsonValue, budget?: VisitBudget): readonly JsonValue[] {
  return new Evaluation(budget).walk(path, [value]);
}

class Evaluation {
  readonly #budget: VisitBudget | undefined;
  #visits = 0;

  constructor(budget: VisitBudget | undefined) {
    this.#budget = budget;
  }

  walk(path: JsonPath, values: readonly JsonValue[]): readonly JsonValue[] {
    let current = values;
    for (const node of path) {
      current = this.#step(node, current);
      this.#count(current.length);
    }
    return current;
  }

  #count(visits: number): void {
    this.#visits += visits + 1;
    this.#budget?.spend(visits + 1);
    if (this.#visits > maxVisits) {
      throw new JsonPathError("the path leads to too many values");
    }
  }

  #step(node: PathNode, values: readonly JsonValue[]): readonly JsonValue[] {
    switch (node.type) {
      case "constant":
        return values.map(() => node.value);
      case "field":
        return values.flatMap((value) => {
          const member = isJsonObject(value) && Object.hasOwn(value, node.name) ? value[node.name] : undefined;
          return member === undefined ? [] : [member];
        });
      case "wildcard":
        return values.flatMap(contentsOf);
      case "recursive":
        return values.flatMap((value) => this.#containersIn(value));
      case "union":
        return node.paths.flatMap((path) => this.walk(path, values));
      case "slice":
        return values.flatMap((value) => (value === null ? [] : sliceOf(node, value)));
      case "filter":
        return values.flatMap((value) => this.#filtered(node, value));
    }
  }

  #containersIn(root: JsonValue): readonly JsonValue[] {
    const found: JsonValue[] = [];
    const pending: JsonValue[] = [root];
    for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
      const contents = contentsOf(value);
      this.#count(contents.length);
      if (contents.length > 0) {
        found.push(value);
        for (let i = contents.length - 1; i >= 0; i--) {
          pending.push(contents[i] as JsonValue);
        }
      }
    }
    return found;
  }

  #filtered(node: PathNode & { readonly type: "filter" }, value: JsonValue): readonly JsonValue[] {
    if (!Array.isArray(value)) {
      throw new JsonPathError("a filter needs a list");
    }
    return value.filter((item) => this.#passes(node, item));
  }

  #passes({ left, operator, right }: PathNode & { readonly type: "filter" }, item: JsonValue): boolean {
    const lefts = this.walk(left, [item]);
    if (operator === "exists") {
      return lefts.length > 0;
    }
    const rights = lefts.length === 0 ? [] : this.walk(right, [item]);
    if (lefts.length > 1 || rights.length > 1) {
      throw new JsonPathError("can only compare one element at a time");
    }
    return rights.length === 1 && compare(lefts[0] as JsonValue, operator, rights[0] as JsonValue);
  }
}

function contentsOf(value: JsonValue): readonly JsonValue[] {
  if (Array.isArray(value)) {
    return value;
  }
  return isJsonObject(value) ? Object.values(value).filter((member) => member !== undefined) : [];
}

function sliceOf(node: PathNode & { readonly type: "slice" }, value: JsonValue): JsonArray {
  if (!Array.isArray(value)) {
    throw new JsonPathError("an index needs a list");
  }
  const { length } = value;
  const fromStart = (index: number): number => (index < 0 ? index + length : index);
  const from = fromStart(node.from ?? 0);
  const to = node.to === "one" ? from + 1 : node.to === "end" ? length : fromStart(node.to);
  if (from === to) {
    return [];
  }
  if (from < 0 || from >= length || to < 0 || to > length || from > to) {
    throw new JsonPathError("array index out of bounds");
  }
  const step = node.step ?? 1;
  if (step <= 0) {
    throw new JsonPathError("step must be > 0");
  }
  return value.slice(from, to).filter((_item, index) => index % step === 0);
}

/** Compares two values as Go does: values of different types cannot be compared, nor integers with other numbers. */
function compare(left: JsonValue, operator: string, right: JsonValue): boolean {
  const sort = sortOf(left);
  if (sort === undefined || sort !== sortOf(right) || (sort === "boolean" && operator !== "==" && operator !== "!=")) {
    throw new JsonPathError("incompatible types for comparison");
  }
  const [a, b] = [left, right] as [string | number, string | number];
  switch (operator) {
    case "==":
      return a === b;
    case "!=":
      return a !== b;
    case "<":
      return a < b;
    case "<=":
      return a <= b;
    case ">":
      return a > b;
    case ">=":
      return a >= b;
    default:
      throw new JsonPathError(`unrecognized filter operator ${operator}`);
  }
}

function sortOf(value: JsonValue): string | undefined {
  if (typeof value === "number" || typeof value === "bigint") {
    return Number.isInteger(Number(value)) ? "integer" : "double";
  }
  return typeof value === "object" ? undefined : typeof value;
}
