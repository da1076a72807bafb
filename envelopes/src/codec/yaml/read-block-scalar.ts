import type { Steps } from "../../scheduling/steps.js";
import type { YamlCursor } from "./cursor.js";

const linesPerStep = 64;

/**
 * Reads a `|` or `>` scalar, whose indicator is the next character, with a pause after every 64 lines of text.
 * `parentIndent` is that of what holds it.
 */
export function* readBlockScalar(cursor: YamlCursor, parentIndent: number): Steps<string> {
  const isLiteral = cursor.peek() === "|";
  cursor.at++;
  const { chomping, increment } = readHeader(cursor);
  const base = Math.max(parentIndent, 0);
  const leading = skipEmptyLines(cursor, increment === 0 ? undefined : base + increment);
  const indent = increment > 0 ? base + increment : Math.max(leading.widest, parentIndent + 1, 1);
  const chunks: string[] = [];
  let parts: string[] = [];
  let lines = 0;
  let pendingBreak = "";
  let emptyLines = leading.breaks;
  let wasIndented = false;
  while (cursor.column === indent && !cursor.atEnd) {
    const isIndented = cursor.isBlank();
    // Between two lines of text a single break becomes a space; indented lines keep theirs.
    const folds = !isLiteral && pendingBreak === "\n" && !wasIndented && !isIndented;
    parts.push(folds ? (emptyLines === "" ? " " : "") : pendingBreak, emptyLines);
    const end = cursor.lineEnd;
    parts.push(cursor.text.slice(cursor.at, end));
    cursor.at = end;
    pendingBreak = "";
    wasIndented = isIndented;
    emptyLines = "";
    if (!cursor.atEnd) {
      pendingBreak = cursor.newline();
      emptyLines = skipEmptyLines(cursor, indent).breaks;
    }
    if (++lines % linesPerStep === 0) {
      chunks.push(parts.join(""));
      parts = [];
      yield;
    }
  }
  parts.push(chomping === "-" ? "" : pendingBreak, chomping === "+" ? emptyLines : "");
  return chunks.join("") + parts.join("");
}

/**
 * Reads the header of a block scalar, `|2-`, `>+`: digit and chomping in either order; nothing but a comment may
 * follow.
 */
function readHeader(cursor: YamlCursor): { readonly chomping: string; readonly increment: number } {
  let chomping = "";
  let increment = 0;
  for (let i = 0; i < 2; i++) {
    const character = cursor.peek();
    if (chomping === "" && (character === "-" || character === "+")) {
      chomping = character;
      cursor.at++;
    } else if (increment === 0 && /^[0-9]$/.test(character)) {
      if (character === "0") {
        throw cursor.scanError("found an indentation indicator equal to 0");
      }
      increment = Number(character);
      cursor.at++;
    }
  }
  cursor.skipToLineEnd();
  if (!cursor.atEnd) {
    cursor.newline();
  }
  return { chomping, increment };
}

/** Steps over empty lines, and up to `indent` into the next one; undefined where the text itself decides. */
function skipEmptyLines(cursor: YamlCursor, indent: number | undefined): { breaks: string; widest: number } {
  let breaks = "";
  let widest = 0;
  for (;;) {
    cursor.skipSpaces(indent);
    widest = Math.max(widest, cursor.column);
    if (cursor.peek() === "\t" && (indent === undefined || cursor.column < indent)) {
      throw cursor.scanError("found a tab character where an indentation space is expected");
    }
    if (!cursor.atBreak) {
      return { breaks, widest };
    }
    breaks += cursor.newline();
  }
}
