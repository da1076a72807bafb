/*
 * The text layout of differences in v1.29: short values are on one line, long ones on lines of their own, with names
 * and values in columns.
 */

/** A piece of a text that is laid out on one line or on several. */
export type TextNode = TextLine | TextWrap | TextList;
export interface TextLine {
  readonly kind: "line";
  readonly text: string;
}
export interface TextWrap {
  readonly kind: "wrap";
  readonly prefix: string;
  readonly value: TextNode;
  readonly suffix: string;
}
export interface TextList {
  readonly kind: "list";
  readonly records: readonly TextRecord[];
}

/** One of several pieces in braces. */
export interface TextRecord {
  /** The mark of a piece that was there before (`-`) or is there now (`+`). */
  readonly change?: "-" | "+" | undefined;
  readonly key?: string;
  readonly value: TextNode;
  readonly noComma?: boolean;
  readonly comment?: string;
}

type Change = "" | "-" | "+";

const maxColumns = 80;

export function line(text: string): TextLine {
  return { kind: "line", text };
}

export function wrap(prefix: string, value: TextNode, suffix: string): TextWrap {
  return { kind: "wrap", prefix, value, suffix };
}

export function braces(records: readonly TextRecord[]): TextWrap {
  return wrap("{", { kind: "list", records }, "}");
}

/** The line that stands for pieces left out. */
export const ellipsis: TextLine = line("...");

/** Returns the whole text, with a line break at its end. */
export function layOut(node: TextNode): string {
  const [, compact] = collapse(node, "");
  return `${indent(0, "")}${expand(compact, "", 0)}\n`;
}

/** Reports whether two nodes are laid out as the same text. */
export function isSameText(a: TextNode, b: TextNode): boolean {
  return layOut(a) === layOut(b);
}

/** Returns the text on one line, and the node in which every piece that fits on one line is a line. */
function collapse(node: TextNode, change: Change): readonly [text: string, node: TextNode] {
  if (node.kind === "line") {
    return [node.text, node];
  }
  if (node.kind === "wrap") {
    const [text, value] = collapse(node.value, change);
    const whole = `${node.prefix}${text}${node.suffix}`;
    return [whole, value.kind === "line" ? line(whole) : { ...node, value }];
  }
  return collapseList(node, change);
}

function collapseList({ records }: TextList, change: Change): readonly [text: string, node: TextNode] {
  let isLong = false;
  const parts: string[] = [];
  const collapsed = records.map((record) => {
    const [text, value] = collapse(record.value, record.change ?? change);
    parts.push(record.key === undefined ? text : `${record.key}: ${text}`);
    isLong ||= record.change !== undefined || value.kind !== "line" || record.comment !== undefined;
    return { ...record, value };
  });
  const text = parts.join(", ");
  isLong ||= change !== "" && Buffer.byteLength(text) > maxColumns;
  return [text, isLong ? { kind: "list", records: collapsed } : line(text)];
}

function expand(node: TextNode, change: Change, depth: number): string {
  switch (node.kind) {
    case "line":
      return node.text;
    case "wrap":
      return `${node.prefix}${expand(node.value, change, depth)}${node.suffix}`;
    default:
      return expandList(node.records, change, depth);
  }
}

function expandList(records: readonly TextRecord[], change: Change, depth: number): string {
  const last = `\n${indent(depth, change)}`;
  if (records.every(isPlain) && records.length > 0) {
    return `${batches(records, change, depth + 1)}${last}`;
  }
  const keys = columns(
    records,
    ({ key, value }) => key === undefined || value.kind !== "line",
    ({ key = "" }) => [...key].length,
  );
  const values = columns(
    records,
    ({ value, comment }) => value.kind !== "line" || value.text === ellipsis.text || comment === undefined,
    ({ value }) => (value.kind === "line" ? [...value.text].length : 0),
  );
  const lines = records.map((record, index) => {
    const own: Change = record.change ?? change;
    const key = record.key === undefined ? "" : `${record.key}: `;
    const comma = record.noComma === true ? "" : ",";
    const comment = record.comment === undefined ? "" : ` // ${record.comment}`;
    const value = expand(record.value, own, depth + 1);
    return `\n${indent(depth + 1, own)}${key}${" ".repeat(keys[index] ?? 0)}${value}${comma}${" ".repeat(values[index] ?? 0)}${comment}`;
  });
  return `${lines.join("")}${last}`;
}

function isPlain({ change, key, value, comment }: TextRecord): boolean {
  return change === undefined && key === undefined && value.kind === "line" && comment === undefined;
}

/** Lays out plain values, several to a line. */
function batches(records: readonly TextRecord[], change: Change, depth: number): string {
  const lines: string[] = [];
  let batch = "";
  for (const { value } of records) {
    const text = value.kind === "line" ? value.text : "";
    if (Buffer.byteLength(batch) + Buffer.byteLength(text) + 2 > maxColumns && batch !== "") {
      lines.push(batch);
      batch = "";
    }
    batch += `${text}, `;
  }
  lines.push(batch);
  return lines.map((text) => `\n${indent(depth, change)}${text.replace(/ $/, "")}`).join("");
}

/**
 * Returns the number of spaces that each record lacks to be as wide as its neighbours; skipped records end a column.
 */
function columns(
  records: readonly TextRecord[],
  isSkipped: (record: TextRecord) => boolean,
  widthOf: (record: TextRecord) => number,
): readonly number[] {
  const missing = new Array<number>(records.length).fill(0);
  let start = 0;
  const close = (end: number): void => {
    const widest = records.slice(start, end).reduce((width, record) => Math.max(width, widthOf(record)), 0);
    for (let index = start; index < end; index++) {
      missing[index] = widest - widthOf(records[index] as TextRecord);
    }
    start = end + 1;
  };
  for (const [index, record] of records.entries()) {
    if (isSkipped(record)) {
      close(index);
    }
  }
  close(records.length);
  return missing;
}

function indent(depth: number, change: Change): string {
  return `${change === "" ? " " : change} ${"\t".repeat(depth)}`;
}
