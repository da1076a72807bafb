import { exactly, type Range, scaleRange } from "../cost/range.js";
import { CelList, CelMap, type CelValue } from "../values/value.js";
import { codePointCount } from "./code-points.js";
import type { CallEstimate } from "./library.js";

/** The cost of reading one character or byte. */
export const traversalFactor = 0.1;
/** The cost of one character of a pattern, for each unit of cost of reading the text. */
export const patternFactor = 0.25;

/** Returns the size of a value as costs count it: of a text in code points; of what has no size, 1. */
export function sizeOf(value: CelValue | undefined): number {
  if (typeof value === "string") {
    return codePointCount(value);
  }
  if (value instanceof Uint8Array) {
    return value.length;
  }
  const items = itemsOf(value);
  if (items !== undefined) {
    return items.length;
  }
  if (value instanceof CelMap) {
    return value.entries.size;
  }
  return isPlainObject(value) ? Object.keys(value).length : 1;
}

/** Returns the elements of a value that is a list. */
export function itemsOf(value: CelValue | undefined): readonly CelValue[] | undefined {
  if (Array.isArray(value)) {
    return value;
  }
  return value instanceof CelList ? value.items : undefined;
}

/** Returns the cost of reading all of a value, whose parts cost nothing if they are short texts. */
export function traversalCost(value: CelValue): number {
  if (typeof value === "string") {
    return Math.floor(Buffer.byteLength(value) * traversalFactor);
  }
  if (value instanceof Uint8Array) {
    return Math.floor(value.length * traversalFactor);
  }
  const items = itemsOf(value);
  if (items !== undefined) {
    return items.reduce<number>((cost, item) => cost + traversalCost(item), 0);
  }
  const entries = entriesOf(value);
  return entries?.reduce((cost, [key, item]) => cost + traversalCost(key) + traversalCost(item), 0) ?? 1;
}

/** Returns the entries of a value that is a map. */
export function entriesOf(value: CelValue): readonly (readonly [CelValue, CelValue])[] | undefined {
  if (value instanceof CelMap) {
    return [...value.entries];
  }
  return isPlainObject(value) ? (Object.entries(value) as [string, CelValue][]) : undefined;
}

function isPlainObject(value: CelValue | undefined): value is Exclude<CelValue, undefined | null> & object {
  if (typeof value !== "object" || value === null) {
    return false;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Returns the cost of reading the first argument so many times. */
export function readingCost(times: number): (args: readonly CelValue[]) => number {
  return ([text]) => Math.ceil(sizeOf(text) * times * traversalFactor);
}

/** Returns the estimate of reading a text, whose result is as long as the text. */
export function readingEstimate([size = exactly(0n)]: readonly Range[]): CallEstimate {
  return { cost: scaleRange(size, traversalFactor), resultSize: size };
}

/** The cost of functions that v1.29 counts as nothing. */
export const noCost = (): number => 0;
