import { isJsonObject, type JsonArray, type JsonValue } from "@gatehouse/envelopes/json";
import { isSameDocument } from "@gatehouse/envelopes/json-patch";

/**
 * A step from one list to another: an item that is in both, perhaps changed, one that is removed, one that is added.
 */
export type AlignmentStep =
  | { readonly kind: "keep"; readonly from: number; readonly to: number }
  | { readonly kind: "remove"; readonly from: number }
  | { readonly kind: "add"; readonly to: number };

/**
 * Largest number of pairs of items that are compared: 700 changed items on each side. Longer lists are compared by
 * position.
 */
const maxComparisons = 500_000;

/** Likeness of two items: different (0), equal in name (1), or equal (2). */
type Likeness = 0 | 1 | 2;

/** Returns the steps from one list to another, from front to back, which keep as many items as possible. */
export function alignLists(from: JsonArray, to: JsonArray): AlignmentStep[] {
  let start = 0;
  const shorter = Math.min(from.length, to.length);
  while (start < shorter && isSame(from[start], to[start])) {
    start++;
  }
  let end = 0;
  while (end < shorter - start && isSame(from[from.length - 1 - end], to[to.length - 1 - end])) {
    end++;
  }
  const steps: AlignmentStep[] = [];
  for (let index = 0; index < start; index++) {
    steps.push({ kind: "keep", from: index, to: index });
  }
  const fromEnd = from.length - end;
  const toEnd = to.length - end;
  alignMiddle(from, to, start, fromEnd, toEnd, steps);
  for (let index = 0; index < end; index++) {
    steps.push({ kind: "keep", from: fromEnd + index, to: toEnd + index });
  }
  return steps;
}

function alignMiddle(
  from: JsonArray,
  to: JsonArray,
  start: number,
  fromEnd: number,
  toEnd: number,
  steps: AlignmentStep[],
): void {
  const anchors =
    (fromEnd - start) * (toEnd - start) > maxComparisons ? [] : bestPairs(from, to, start, fromEnd, toEnd);
  let i = start;
  let j = start;
  for (const [nextFrom, nextTo] of [...anchors, [fromEnd, toEnd] as const]) {
    // Between recognised items, the others are changed in place while both sides have some.
    for (; i < nextFrom && j < nextTo; i++, j++) {
      steps.push({ kind: "keep", from: i, to: j });
    }
    for (; i < nextFrom; i++) {
      steps.push({ kind: "remove", from: i });
    }
    for (; j < nextTo; j++) {
      steps.push({ kind: "add", to: j });
    }
    if (nextFrom < fromEnd && nextTo < toEnd) {
      steps.push({ kind: "keep", from: i++, to: j++ });
    }
  }
}

/** Returns the pairs of the longest common subsequence, weighted by likeness, in order. */
function bestPairs(
  from: JsonArray,
  to: JsonArray,
  start: number,
  fromEnd: number,
  toEnd: number,
): (readonly [number, number])[] {
  const rows = fromEnd - start;
  const columns = toEnd - start;
  const width = columns + 1;
  const scores = new Uint32Array((rows + 1) * width);
  const likeness = new Uint8Array(rows * columns);
  for (let row = rows - 1; row >= 0; row--) {
    for (let column = columns - 1; column >= 0; column--) {
      const like = likenessOf(from[start + row], to[start + column]);
      likeness[row * columns + column] = like;
      const paired = like === 0 ? 0 : like + (scores[(row + 1) * width + column + 1] as number);
      const skipped = Math.max(
        scores[(row + 1) * width + column] as number,
        scores[row * width + column + 1] as number,
      );
      scores[row * width + column] = Math.max(paired, skipped);
    }
  }
  const pairs: (readonly [number, number])[] = [];
  for (let row = 0, column = 0; row < rows && column < columns; ) {
    const score = scores[row * width + column] as number;
    const like = likeness[row * columns + column] as number;
    if (like > 0 && score === like + (scores[(row + 1) * width + column + 1] as number)) {
      pairs.push([start + row++, start + column++]);
    } else if (score === scores[(row + 1) * width + column]) {
      row++;
    } else {
      column++;
    }
  }
  return pairs;
}

function likenessOf(a: JsonValue | undefined, b: JsonValue | undefined): Likeness {
  if (isJsonObject(a) && isJsonObject(b)) {
    const name = nameOf(a);
    if (name !== undefined) {
      // Other members are compared when the pair is chosen; comparing them for all pairs would cost too much.
      return name === nameOf(b) ? 1 : 0;
    }
  }
  return isSame(a, b) ? 2 : 0;
}

/** Returns the name of an item, which identifies it in nearly all lists of Kubernetes; undefined when it has none. */
function nameOf(item: { readonly [key: string]: unknown }): string | undefined {
  const name = Object.hasOwn(item, "name") ? item["name"] : undefined;
  return typeof name === "string" ? name : undefined;
}

function isSame(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  return a !== undefined && b !== undefined && isSameDocument(a, b);
}
