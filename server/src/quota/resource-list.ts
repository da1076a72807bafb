import {
  addQuantity,
  compareQuantity,
  parseQuantity,
  type Quantity,
  subtractQuantity,
} from "@gatehouse/envelopes/codec";
import type { JsonObject } from "@gatehouse/envelopes/json";

/** Amounts by the names of resources. */
export type ResourceList = Map<string, Quantity>;

/** The quantities of nothing, and of one counted object. */
export const zero: Quantity = parseQuantity("0");
export const one: Quantity = parseQuantity("1");

/** Parses the amounts of a JSON map. Stored amounts are canonical, so that all can be parsed. */
export function resourceList(amounts: JsonObject): ResourceList {
  return new Map(Object.entries(amounts).map(([name, amount]) => [name, parseQuantity(String(amount))]));
}

/** Adds amounts to a list, in place. */
export function addAmounts(list: ResourceList, more: ReadonlyMap<string, Quantity>): void {
  for (const [name, amount] of more) {
    list.set(name, addQuantity(list.get(name) ?? zero, amount));
  }
}

/** Raises the amounts of a list to those of another, in place. */
export function raiseAmounts(list: ResourceList, others: ReadonlyMap<string, Quantity>): void {
  for (const [name, amount] of others) {
    const known = list.get(name);
    if (known === undefined || compareQuantity(amount, known) > 0) {
      list.set(name, amount);
    }
  }
}

/** Returns the excess of `list` over `others`, without amounts that do not exceed. */
export function amountsBeyond(list: ResourceList, others: ResourceList): ResourceList {
  const beyond: ResourceList = new Map();
  for (const [name, amount] of list) {
    const difference = subtractQuantity(amount, others.get(name) ?? zero);
    if (difference.unscaled > 0n) {
      beyond.set(name, difference);
    }
  }
  return beyond;
}

/** Formats amounts as messages show them: `cpu=1,memory=2Gi`. */
export function amountsText(list: ResourceList): string {
  return [...list.keys()]
    .sort()
    .map((name) => `${name}=${list.get(name)?.text}`)
    .join(",");
}
