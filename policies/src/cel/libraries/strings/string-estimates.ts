import { addRanges, exactly, multiplyRanges, type Range, scaleRange, unknownSize } from "../../cost/range.js";
import { traversalFactor } from "../call-cost.js";
import type { CallEstimate, EstimatedCall } from "../library.js";

const twoReadings = 2 * traversalFactor;
const none = exactly(0n);

/** Estimates `replace`: reading the text and building the result. */
export function estimateReplace([text = none, part = none, replacement = none]: readonly Range[]): CallEstimate {
  const most = longestResult(text.max, part.min, replacement.max);
  const least = shortestResult(text.min, part.max, replacement.min);
  const counts = { min: least.count, max: most.count };
  const kept = { min: least.kept, max: most.kept };
  return {
    cost: scaleRange(text, twoReadings),
    resultSize: addRanges(multiplyRanges(counts, replacement), kept),
  };
}

/** Replacements, and characters that stay beside them. */
interface Replacements {
  readonly count: bigint;
  readonly kept: bigint;
}

function longestResult(text: bigint, part: bigint, replacement: bigint): Replacements {
  if (part === 0n) {
    return { count: afterEach(text), kept: text };
  }
  return replacement <= part ? { count: 0n, kept: text } : { count: occurrences(text, part), kept: 0n };
}

function shortestResult(text: bigint, part: bigint, replacement: bigint): Replacements {
  if (part === 0n) {
    return { count: afterEach(text), kept: text };
  }
  return part <= replacement ? { count: 0n, kept: text } : { count: occurrences(text, part), kept: 0n };
}

/** Returns the number of places before, between and after so many characters. */
function afterEach(characters: bigint): bigint {
  return characters < unknownSize.max ? characters + 1n : characters;
}

/** Divides as v1.29 does, in floating point; what does not fit into 64 bits is the number that Go's conversion makes. */
function occurrences(text: bigint, part: bigint): bigint {
  const count = BigInt(Math.ceil(Number(text) / Number(part)));
  return count > unknownSize.max ? 2n ** 63n : count;
}

/** Estimates `split`: as many parts as there are characters, or as the limit says where that is a literal. */
export function estimateSplit([text = none]: readonly Range[], call: EstimatedCall): CallEstimate {
  const limit = call.literal(2);
  const isInt = typeof limit === "number" || typeof limit === "bigint";
  // A negative limit becomes a large one.
  const max = isInt ? BigInt.asUintN(64, BigInt(limit)) : text.max;
  return { cost: scaleRange(text, twoReadings), resultSize: { min: 0n, max } };
}

/** Estimates `join` from the sizes of the list, its elements and the separator. */
export function estimateJoin([list = none, separator]: readonly Range[], call: EstimatedCall): CallEstimate {
  const element = call.elementSize(0);
  let size = element === undefined ? none : multiplyRanges(list, element);
  if (separator !== undefined) {
    const separators = { min: oneLess(list.min), max: oneLess(list.max) };
    size = addRanges(size, multiplyRanges(separator, separators));
  }
  return { cost: scaleRange(size, traversalFactor), resultSize: size };
}

function oneLess(count: bigint): bigint {
  return count > 0n ? count - 1n : 0n;
}

/** Estimates `strings.quote`: each character may be escaped; the sum wraps around, as v1.29's does. */
export function estimateQuote([text = none]: readonly Range[]): CallEstimate {
  const resultSize = { min: BigInt.asUintN(64, text.min + 2n), max: BigInt.asUintN(64, text.max * 2n + 2n) };
  return { cost: scaleRange(text, traversalFactor), resultSize };
}

/** Estimates reading the text, of a function whose result is not bounded or has no size. */
export function estimateReading([text = none]: readonly Range[]): CallEstimate {
  return { cost: scaleRange(text, traversalFactor) };
}
