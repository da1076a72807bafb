import { add } from "../values/arithmetic.js";
import { isEqual } from "../values/equality.js";
import { EvaluationError } from "../values/evaluation-error.js";
import { doubleValue } from "../values/numbers.js";
import { compareValues } from "../values/order.js";
import { itemsOf } from "../values/type-name.js";
import { type CelList, type CelValue, Duration, Uint } from "../values/value.js";
import { estimateTraversal, inRules, traversalCost } from "./call-cost.js";
import type { FunctionDefinition, Library, Overload } from "./library.js";
import { typedCall } from "./typed-call.js";

type List = readonly CelValue[] | CelList;

const comparable = ["int", "uint", "double", "bool", "duration", "timestamp", "string", "bytes"];
const zeros: readonly (readonly [type: string, zero: CelValue])[] = [
  ["int", 0],
  ["uint", new Uint(0n)],
  ["double", doubleValue(0)],
  ["duration", new Duration(0n)],
];

function overload(signature: string, call: Overload["call"]): Overload {
  return { signature, call, ...inRules(traversalCost), estimate: estimateTraversal };
}

function extreme(name: string, sign: -1 | 1): FunctionDefinition {
  const call = typedCall((list: List) => extremeOf(itemsOf(list), name, sign));
  return { name, overloads: comparable.map((type) => overload(`list(${type}).() -> ${type}`, call)) };
}

/** The functions of lists as wholes. */
export const lists: Library = {
  name: "lists",
  introduced: [1, 0],
  functions: [
    {
      name: "isSorted",
      overloads: comparable.map((type) => overload(`list(${type}).() -> bool`, typedCall(isSorted))),
    },
    {
      name: "sum",
      overloads: zeros.map(([type, zero]) =>
        overload(
          `list(${type}).() -> ${type}`,
          typedCall((list: List) => itemsOf(list).reduce(add, zero)),
        ),
      ),
    },
    extreme("min", -1),
    extreme("max", 1),
    { name: "indexOf", overloads: [overload("list(A).(A) -> int", typedCall(indexOf))] },
    { name: "lastIndexOf", overloads: [overload("list(A).(A) -> int", typedCall(lastIndexOf))] },
  ],
};

function isSorted(list: List): boolean {
  const items = itemsOf(list);
  return items.every((item, index) => index === 0 || order(items[index - 1] ?? null, item) <= 0);
}

function extremeOf(items: readonly CelValue[], name: string, sign: -1 | 1): CelValue {
  const [first, ...rest] = items;
  if (first === undefined) {
    throw new EvaluationError(`${name} called on empty list`);
  }
  return rest.reduce((found, item) => (order(item, found) === sign ? item : found), first);
}

/** Returns the sign of the order of two values; 0 if they have none, such as a NaN, which v1.29 takes for no reason to go on. */
function order(left: CelValue, right: CelValue): number {
  try {
    return Math.sign(compareValues(left, right, "_<_"));
  } catch (error) {
    if (error instanceof EvaluationError) {
      return 0;
    }
    throw error;
  }
}

function indexOf(list: List, value: CelValue): number {
  return itemsOf(list).findIndex((item) => isEqual(item, value));
}

function lastIndexOf(list: List, value: CelValue): number {
  return itemsOf(list).findLastIndex((item) => isEqual(item, value));
}
