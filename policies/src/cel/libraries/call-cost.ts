import { addRanges, exactly, multiplyRanges, type Range, scaleRange, unknownSize } from "../cost/range.js";
import { entryAt, keysOf } from "../values/maps.js";
import { costSize } from "../values/size.js";
import { isList, isMap, itemsOf } from "../values/type-name.js";
import type { CelValue } from "../values/value.js";
import { countReading, countWork } from "../values/work.js";
import type { CallEstimate, EstimatedCall, Overload } from "./library.js";

/** The cost of reading one character or byte. */
export const traversalFactor = 0.1;

const one = exactly(1n);

/** The work of reading a value of a list, twice: once for the call, once for its cost. */
const valueWork = 80;

/** Returns the cost of reading all of the first argument, whose parts cost nothing if they are short texts. */
export function traversalCost([value = null]: readonly CelValue[]): number {
  return costOfAll(value);
}

function costOfAll(value: CelValue): number {
  countWork(valueWork);
  if (typeof value === "string") {
    countReading(value);
    return Math.floor(Buffer.byteLength(value) * traversalFactor);
  }
  if (value instanceof Uint8Array) {
    return Math.floor(value.length * traversalFactor);
  }
  if (isList(value)) {
    return itemsOf(value).reduce<number>((cost, item) => cost + costOfAll(item), 0);
  }
  if (isMap(value)) {
    return keysOf(value).reduce<number>(
      (cost, key) => cost + costOfAll(key) + costOfAll(entryAt(value, key) ?? null),
      0,
    );
  }
  return 1;
}

/** Estimates reading all of the first argument: of a list by its elements, of anything else by its size. */
export function estimateTraversal([size = unknownSize]: readonly Range[], call: EstimatedCall): CallEstimate {
  const type = call.typeOf(0);
  if (type.kind !== "list") {
    return { cost: scaleRange(size, traversalFactor) };
  }
  const isText = type.elements.kind === "string" || type.elements.kind === "bytes";
  const elementCost = isText ? addRanges(one, scaleRange(call.elementSize(0) ?? unknownSize, traversalFactor)) : one;
  return { cost: multiplyRanges(size, elementCost) };
}

/** Returns the members of an overload whose cost is counted in rules of custom resources only. */
export function inRules<Cost extends NonNullable<Overload["cost"]>>(
  cost: Cost,
): { readonly cost: Cost; readonly costsInRulesOnly: true } {
  return { cost, costsInRulesOnly: true };
}

/** Returns the cost of reading the first argument so many times. */
export function readingCost(times: number): (args: readonly CelValue[]) => number {
  return ([text = null]) => Math.ceil(costSize(text) * times * traversalFactor);
}

/** Estimates reading a text once, of a function whose result is as long as the text. */
export function readingEstimate([size = unknownSize]: readonly Range[]): CallEstimate {
  return { cost: scaleRange(size, traversalFactor), resultSize: size };
}
