import { isInt64, isJsonObject, type JsonArray, type JsonValue } from "@gatehouse/envelopes/json";
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
  return new Evaluation(value, budget).walk(path, [value]);
}

/**
 * The error of a step that cannot be taken, with the values that the path has led to: a filter that asks whether there are any
 * takes them for an answer.
 */
class StepError extends JsonPathError {
  readonly reached: readonly JsonValue[];

  constructor(message: string, reached: readonly JsonValue[]) {
    super(message);
    this.reached = reached;
  }
}

class Evaluation {
  readonly #root: JsonValue;
  readonly #budget: VisitBudget | undefined;
  #visits = 0;

  constructor(root: JsonValue, budget: VisitBudget | undefined) {
    this.#root = root;
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
        // A text stands for itself, also where the path has led nowhere.
        return typeof node.value === "string" ? [node.value] : values.map(() => node.value);
      case "identifier":
        throw identifierError(node.name, values);
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
        return this.#union(node.paths, values);
      case "slice":
        return sliceOfAll(node, values);
      case "filter":
        return this.#filter(node, values);
      case "aside":
        this.walk(node.path, [this.#root]);
        return values;
    }
  }

  #union(paths: readonly JsonPath[], values: readonly JsonValue[]): readonly JsonValue[] {
    try {
      return paths.flatMap((path) => this.walk(path, values));
    } catch (error) {
      throw error instanceof StepError ? new StepError(error.message, values) : error;
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

  #filter(node: FilterNode, values: readonly JsonValue[]): readonly JsonValue[] {
    const found: JsonValue[] = [];
    for (const value of values) {
      if (!Array.isArray(value)) {
        throw new StepError("a filter needs a list", values);
      }
      for (const item of value) {
        if (node.operator === "exists" ? this.#exists(node.left, item) : this.#compares(node, item, values, found)) {
          found.push(item);
        }
      }
    }
    return found;
  }

  /** Reports whether a path leads to values, if only to those before a step that cannot be taken. */
  #exists(path: JsonPath, item: JsonValue): boolean {
    try {
      return this.walk(path, [item]).length > 0;
    } catch (error) {
      if (error instanceof StepError) {
        return error.reached.length > 0;
      }
      throw error;
    }
  }

  /** `values` is what the filter is applied to, and `found` the items that have passed so far. */
  #compares(node: FilterNode, item: JsonValue, values: readonly JsonValue[], found: readonly JsonValue[]): boolean {
    const left = this.#operand(node.left, item, values);
    const right = left === undefined ? undefined : this.#operand(node.right, item, values);
    if (left === undefined || right === undefined) {
      return false;
    }
    const isAsStated = compare(left, node.operator, right);
    if (isAsStated === undefined) {
      throw new StepError("incompatible types for comparison, or no operator", found);
    }
    return isAsStated;
  }

  #operand(path: JsonPath, item: JsonValue, values: readonly JsonValue[]): Operand | undefined {
    let found: readonly JsonValue[];
    try {
      found = this.walk(path, [item]);
    } catch (error) {
      throw error instanceof StepError ? new StepError(error.message, values) : error;
    }
    if (found.length > 1) {
      throw new StepError("can only compare one element at a time", values);
    }
    const last = path.at(-1);
    const isDouble = last?.type === "constant" && last.isDouble === true;
    const [value] = found;
    return value === undefined ? undefined : { value, sort: isDouble ? "double" : sortOf(value) };
  }
}

type FilterNode = PathNode & { readonly type: "filter" };

/** One side of a comparison: its value, and the sort of Go's type for it; undefined for one that cannot be compared. */
interface Operand {
  readonly value: JsonValue;
  readonly sort: string | undefined;
}

/** `range` and `end` are words of templates, and lead nowhere in a path of one value. */
function identifierError(name: string, values: readonly JsonValue[]): JsonPathError {
  const message = `unrecognized identifier ${name}`;
  return name === "range" ? new JsonPathError(message) : new StepError(message, name === "end" ? [] : values);
}

/** Returns the items of a list, the members of an object, and the bytes of a text. */
function contentsOf(value: JsonValue): readonly JsonValue[] {
  if (Array.isArray(value)) {
    return value;
  }
  if (typeof value === "string") {
    return [...Buffer.from(value)];
  }
  return isJsonObject(value) ? Object.values(value).filter((member) => member !== undefined) : [];
}

type SliceNode = PathNode & { readonly type: "slice" };

/** Returns the items of all lists; where one has none to give, as in `[1:1]`, the lists behind it are left out, too. */
function sliceOfAll(node: SliceNode, values: readonly JsonValue[]): readonly JsonValue[] {
  const found: JsonValue[] = [];
  for (const value of values) {
    if (value === null) {
      continue;
    }
    const items = Array.isArray(value) ? sliceOf(node, value) : "an index needs a list";
    if (typeof items === "string") {
      throw new StepError(items, values);
    }
    if (items === undefined) {
      break;
    }
    found.push(...items);
  }
  return found;
}

/** Returns the items of one list, undefined for a slice of none, or why there cannot be one. */
function sliceOf(node: SliceNode, list: JsonArray): JsonArray | string | undefined {
  const { length } = list;
  const fromStart = (index: number): number => (index < 0 ? index + length : index);
  const from = fromStart(node.from ?? 0);
  const to = node.to === "one" ? from + 1 : node.to === "end" ? length : fromStart(node.to);
  if (from === to) {
    return undefined;
  }
  if (from < 0 || from >= length || to < 0 || to > length || from > to) {
    return "array index out of bounds";
  }
  const step = node.step ?? 1;
  return step <= 0 ? "step must be > 0" : list.slice(from, to).filter((_item, index) => index % step === 0);
}

/**
 * Compares two values as Go does. Undefined: they cannot be compared, as values of different types and integers with other
 * numbers, or there is no such operator.
 */
function compare({ value: left, sort }: Operand, operator: string, right: Operand): boolean | undefined {
  if (sort === undefined || sort !== right.sort || (sort === "boolean" && operator !== "==" && operator !== "!=")) {
    return undefined;
  }
  const [a, b] = [left, right.value] as [string | number, string | number];
  switch (operator) {
    case "==":
      // An integer may be a number on one side and a bigint on the other.
      return sort === "integer" ? BigInt(a) === BigInt(b) : a === b;
    case "!=":
      return sort === "integer" ? BigInt(a) !== BigInt(b) : a !== b;
    case "<":
      return a < b;
    case "<=":
      return a <= b;
    case ">":
      return a > b;
    case ">=":
      return a >= b;
    default:
      return undefined;
  }
}

/** Returns the sort of a value's type in Go; undefined for those that cannot be compared. */
function sortOf(value: JsonValue): string | undefined {
  switch (typeof value) {
    case "number":
    case "bigint":
      return isInt64(value) ? "integer" : "double";
    case "object":
      return undefined;
    default:
      return typeof value;
  }
}
