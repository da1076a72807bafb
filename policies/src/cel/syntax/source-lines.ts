/** A place in a source, as messages tell it. */
export interface SourcePlace {
  /** Number of the line, from 1. Only `\n` ends a line. */
  readonly line: number;
  /** Number of code points before the place in its line. */
  readonly column: number;
  /** The text of the line. */
  readonly text: string;
}

/**
 * Returns the places of offsets, which are in ascending order, in time linear in the length of the source.
 */
export function locateAll(source: string, offsets: readonly number[]): SourcePlace[] {
  let line = 1;
  let start = 0;
  let end = endOfLine(source, 0);
  let counted = 0;
  let column = 0;
  let text: string | undefined;
  return offsets.map((offset) => {
    while (offset > end) {
      start = end + 1;
      end = endOfLine(source, start);
      line++;
      counted = start;
      column = 0;
      text = undefined;
    }
    for (; counted < offset; column++) counted += (source.codePointAt(counted) ?? 0) > 0xffff ? 2 : 1;
    text ??= source.slice(start, end);
    return { line, column, text };
  });
}

/** Returns the number of code points of a text. */
export function countCodePoints(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; count++) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return count;
}

function endOfLine(source: string, start: number): number {
  const end = source.indexOf("\n", start);
  return end < 0 ? source.length : end;
}
