import type { YamlCursor } from "./cursor.js";
import { foldBreaks, isBreak } from "./line-breaks.js";

/** A scalar without quotes. */
export interface PlainScalar {
  readonly text: string;
  /** True if the scalar ended on the line on which it began, so that it may be a key. */
  readonly isOneLine: boolean;
}

/**
 * Reads a plain scalar. In block context its further lines must be indented by `indent` at least; undefined means that
 * it stands in brackets, which end it, too.
 */
export function readPlain(cursor: YamlCursor, indent: number | undefined): PlainScalar {
  const inFlow = indent === undefined;
  let text = readLine(cursor, inFlow);
  let isOneLine = true;
  while (cursor.atBreak) {
    const breaks = skipEmptyLines(cursor, indent);
    isOneLine = false;
    if (cursor.atEnd || cursor.atDocumentMark || cursor.peek() === "#" || cursor.column < (indent ?? 0)) {
      break;
    }
    const line = readLine(cursor, inFlow);
    if (line === "") {
      break;
    }
    text += foldBreaks(breaks) + line;
  }
  return { text, isOneLine };
}

/** Reads the part of the scalar on this line, up to the character that ends it. */
function readLine(cursor: YamlCursor, inFlow: boolean): string {
  const { text } = cursor;
  const start = cursor.at;
  let end = start;
  let at = start;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x20 || code === 0x09) {
      continue;
    }
    if (isBreak(code) || (code === 0x23 && at > end) || endsPlain(text, at, code, inFlow)) {
      break;
    }
    end = at + 1;
  }
  cursor.at = at;
  return text.slice(start, end);
}

function endsPlain(text: string, at: number, code: number, inFlow: boolean): boolean {
  if (code === 0x3a) {
    const next = text.charCodeAt(at + 1);
    return next === 0x20 || next === 0x09 || isBreak(next) || Number.isNaN(next);
  }
  return inFlow && (code === 0x2c || code === 0x3f || code === 0x5b || code === 0x5d || code === 0x7b || code === 0x7d);
}

/** Steps over line breaks and empty lines to the next text; returns the breaks. */
function skipEmptyLines(cursor: YamlCursor, indent: number | undefined): string {
  let breaks = "";
  while (cursor.atBreak) {
    breaks += cursor.newline();
    cursor.skipSpaces();
    if (cursor.peek() === "\t" && cursor.column < (indent ?? 0)) {
      throw cursor.scanError("found a tab character that violates indentation");
    }
    cursor.skipBlanks();
  }
  return breaks;
}
