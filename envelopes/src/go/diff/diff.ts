import type { JsonValue } from "../../json/json.js";
import { goTypeOfMessage, isZero } from "../internal-types.js";
import { type Difference, type DifferenceRecord, difference, missing, type Side } from "./difference.js";
import { braces, ellipsis, isSameText, layOut, type TextNode, type TextRecord, wrap } from "./text-layout.js";
import { deeper, keyText, level, type Style, valueText, withType } from "./value-text.js";

/** Limit on the characters of both values in JSON for which a difference is computed; v1.29 has none. */
const maxCompared = 96 * 1024;

/**
 * Returns the difference of two values of a message as v1.29 shows it: old and new parts, with little of what is equal.
 */
export function goDiff(message: string, old: JsonValue | undefined, next: JsonValue | undefined): string {
  if (lengthOf(old) + lengthOf(next) > maxCompared) {
    return "  ... // too large to compare\n";
  }
  const root = difference(goTypeOfMessage(message), old, next);
  return layOut(diffText(root, { change: undefined, types: "always", verbosity: undefined }));
}

function lengthOf(value: JsonValue | undefined): number {
  // Only the length counts; the replacer is for integers beyond doubles.
  return JSON.stringify(value ?? null, (_key, item: unknown) => (typeof item === "bigint" ? String(item) : item))
    .length;
}

/** Least verbosity of a part that differs; `sameVerbosity` is that of an equal part. */
const leastVerbosity = 3;
const sameVerbosity = 1;

function diffText(node: Difference, given: Style): TextNode {
  let style = given;
  if (style.change === "same") {
    style = { ...style, verbosity: sameVerbosity };
  } else if (level(style) < leastVerbosity) {
    style = { ...style, verbosity: leastVerbosity };
  }
  if (isLeaf(node)) {
    return leafText(node, style);
  }
  const target = node.target();
  if (target !== undefined) {
    return wrap("&", diffText(target, style), "");
  }
  return withType(node.type, recordsText(node, style), style);
}

/** Reports whether a node is shown as a whole: it has neither records nor a target. */
function isLeaf(node: Difference): boolean {
  return node.target() === undefined && node.records().length === 0;
}

function leafText(node: Difference, style: Style): TextNode {
  const { type, x, y } = node;
  if (style.change === "-" || style.change === "+") {
    return valueText(type, presentOf(style.change === "-" ? x : y), style);
  }
  if (node.isSame) {
    return shorterText(valueText(type, presentOf(x), style), valueText(type, presentOf(y), style));
  }
  const bare: Style = { ...style, types: "never" };
  const records: TextRecord[] = [];
  if (x !== missing) {
    records.push({ change: "-", value: valueText(type, presentOf(x), bare) });
  }
  if (y !== missing) {
    records.push({ change: "+", value: valueText(type, presentOf(y), bare) });
  }
  return withType(type, { kind: "list", records }, { ...style, types: "always" });
}

/** Returns the text by which go-cmp shows equal values that are held differently: the shorter one, or else the second. */
function shorterText(x: TextNode, y: TextNode): TextNode {
  return layOut(x).length < layOut(y).length ? x : y;
}

function presentOf(side: Side): JsonValue | undefined {
  return side === missing ? undefined : side;
}

const recordNames: Readonly<Record<string, string>> = { struct: "field", slice: "element", map: "entry" };

function recordsText(node: Difference, given: Style): TextNode {
  const { type } = node;
  const isStruct = type.kind === "struct";
  const most =
    given.verbosity === undefined
      ? Number.POSITIVE_INFINITY
      : given.change === "same"
        ? ((1 << level(given)) >> 1) << 2
        : (1 << level(given)) << 1;
  const style: Style = { ...deeper(given), types: isStruct ? "composite" : "never" };
  const keyOf = (key: string): { readonly key?: string } => {
    if (type.kind === "slice") {
      return {};
    }
    return { key: type.kind === "map" ? keyText(type, key) : key };
  };
  return style.change === undefined
    ? comparedText(node, style, most, keyOf)
    : oneSideText(node, style, most, isStruct, keyOf);
}

type KeyOf = (key: string) => { readonly key?: string };

function oneSideText(node: Difference, style: Style, most: number, isStruct: boolean, keyOf: KeyOf): TextNode {
  const records: TextRecord[] = [];
  for (const { key, value } of node.records()) {
    if (records.length === most) {
      records.push({ value: ellipsis, noComma: true });
      break;
    }
    if (isStruct && isZeroFor(value, style.change)) {
      continue;
    }
    const side = style.change === "-" ? value.x : style.change === "+" ? value.y : undefined;
    if (side !== missing) {
      records.push({ ...keyOf(key), value: diffText(value, style) });
    }
  }
  return braces(records);
}

function isZeroFor({ type, x, y }: Difference, change: Style["change"]): boolean {
  const isZeroX = isZero(type, presentOf(x));
  const isZeroY = isZero(type, presentOf(y));
  return change === "same" ? isZeroX || isZeroY : change === "-" ? isZeroX : isZeroY;
}

/** Number of equal neighbours shown beside a difference. */
const context = 2;

function comparedText(node: Difference, style: Style, most: number, keyOf: KeyOf): TextNode {
  const name = recordNames[node.type.kind] ?? "";
  const records: TextRecord[] = [];
  const rest: Counts = { identical: 0, removed: 0, inserted: 0, modified: 0 };
  const groups = groupsOf(node.records());
  let shown = 0;
  for (const [index, group] of groups.entries()) {
    if (shown >= most) {
      for (const record of group.records) {
        rest[countOf(record.value)]++;
      }
    } else if (group.isSame) {
      records.push(...sameText(group.records, index > 0, index < groups.length - 1, name, style, keyOf));
    } else {
      shown += group.records.length;
      for (const record of group.records) {
        records.push(...changedText(record.value, style).map((text) => ({ ...keyOf(record.key), ...text })));
      }
    }
  }
  const comment = countsText(rest, name);
  if (comment !== "") {
    const last = records.at(-1);
    if (last?.value === ellipsis) {
      records.pop();
    }
    records.push({ value: ellipsis, noComma: true, comment });
  }
  return braces(records);
}

interface Group {
  readonly isSame: boolean;
  readonly records: DifferenceRecord[];
}

function groupsOf(records: readonly DifferenceRecord[]): readonly Group[] {
  const groups: Group[] = [];
  for (const record of records) {
    const last = groups.at(-1);
    if (last === undefined || last.isSame !== record.value.isSame) {
      groups.push({ isSame: record.value.isSame, records: [record] });
    } else {
      last.records.push(record);
    }
  }
  return groups;
}

interface Counts {
  identical: number;
  removed: number;
  inserted: number;
  modified: number;
}

function countOf({ isSame, x, y }: Difference): keyof Counts {
  return isSame ? "identical" : y === missing ? "removed" : x === missing ? "inserted" : "modified";
}

/** Returns the counts as text: `2 identical and 1 modified fields`. */
function countsText(counts: Counts, name: string): string {
  const parts = Object.entries(counts).filter(([, count]) => count > 0);
  const total = parts.reduce((sum, [, count]) => sum + Number(count), 0);
  const noun = total > 1 ? (name === "entry" ? "entries" : `${name}s`) : name;
  const texts = parts.map(([what, count]) => `${count} ${what}`);
  if (texts.length === 0) {
    return "";
  }
  return texts.length <= 2
    ? `${texts.join(" and ")} ${noun}`
    : `${texts.slice(0, -1).join(", ")}, and ${texts.at(-1)} ${noun}`;
}

/** Returns those of a run of equal records that stand next to a difference, and an ellipsis for the others. */
function sameText(
  records: readonly DifferenceRecord[],
  hasBefore: boolean,
  hasAfter: boolean,
  name: string,
  style: Style,
  keyOf: KeyOf,
): readonly TextRecord[] {
  const low = hasBefore ? Math.min(context, records.length) : 0;
  let high = hasAfter ? Math.min(context, records.length - low) : 0;
  if (records.length - (low + high) === 1) {
    high++;
  }
  const text = (record: DifferenceRecord): TextRecord => ({
    ...keyOf(record.key),
    value: diffText(record.value, { ...style, change: "same" }),
  });
  const hidden = records.length - (low + high);
  const comment = countsText({ identical: hidden, removed: 0, inserted: 0, modified: 0 }, name);
  return [
    ...records.slice(0, low).map(text),
    ...(hidden > 0 ? [{ value: ellipsis, noComma: true, comment }] : []),
    ...records.slice(records.length - high).map(text),
  ];
}

/** Returns a value that differs as a whole as it was and as it is, and any other one with the differences inside it. */
function changedText(value: Difference, style: Style): readonly TextRecord[] {
  if (!isChain(value)) {
    return [{ value: diffText(value, style) }];
  }
  let before: TextNode | undefined;
  let after: TextNode | undefined;
  // While both texts are equal, they are written again in more detail.
  for (let step = -1; step <= 6; step++) {
    const detailed: Style = step < 0 ? style : { ...style, verbosity: level(style) + 2 * step, ownTexts: step === 0 };
    before = value.x === missing ? undefined : diffText(value, { ...detailed, change: "-" });
    after = value.y === missing ? undefined : diffText(value, { ...detailed, change: "+" });
    if (before === undefined || after === undefined || !isSameText(before, after)) {
      break;
    }
  }
  return [
    ...(before === undefined ? [] : [{ change: "-" as const, value: before }]),
    ...(after === undefined ? [] : [{ change: "+" as const, value: after }]),
  ];
}

/** Reports whether a value and all values inside it have at most one record each. */
function isChain(node: Difference): boolean {
  const target = node.target();
  if (target !== undefined) {
    return isChain(target);
  }
  const records = node.records();
  return records.length === 0 || (records.length === 1 && isChain((records[0] as DifferenceRecord).value));
}
