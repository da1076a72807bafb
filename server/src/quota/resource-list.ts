import {
  addQuantity,
  compareQuantity,
  type JsonObject,
  parseQuantity,
  type Quantity,
  subtractQuantity,
} from "@gatehouse/envelopes";

/** Amounts by the names of resources. */
export type ResourceList = Map<string, Quantity>;

/** Nothing, and one of something that is counted. */
export const zero: Quantity = parseQuantity("0");
export const one: Quantity = parseQuantity("1");

/** The amounts of a JSON map. What is stored is canonical, so that all of it can be read. */
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

/** What `list` has beyond `others`, without what it does not. */
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

/** The amounts as messages show them: `cpu=1,memory=2Gi`. */
export function amountsText(list: ResourceList): string {
  return [...list.keys()]
    .sort()
    .map((name) => `${name}=${list.get(name)?.text}`)
    .join(",");
}
