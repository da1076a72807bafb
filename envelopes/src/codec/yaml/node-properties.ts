import type { YamlCursor } from "./cursor.js";

/** The anchor and tag before a node. */
export interface NodeProperties {
  readonly anchor: string | undefined;
  /** The tag: `str` for `!!str`; others as they are written. */
  readonly tag: string | undefined;
}

/** The properties of a node with neither; the reader compares by identity. */
export const noProperties: NodeProperties = { anchor: undefined, tag: undefined };

const standard = "tag:yaml.org,2002:";

/** Reads the anchor and the tag before a node, in either order, and the blanks behind them. `handles` are as in readTag. */
export function readProperties(cursor: YamlCursor, handles: ReadonlyMap<string, string>): NodeProperties {
  let anchor: string | undefined;
  let tag: string | undefined;
  for (;;) {
    const next = cursor.peek();
    if (next === "&" && anchor === undefined) {
      anchor = readAnchorName(cursor);
    } else if (next === "!" && tag === undefined) {
      tag = readTag(cursor, handles);
    } else {
      return anchor === undefined && tag === undefined ? noProperties : { anchor, tag };
    }
    cursor.skipBlanks();
  }
}

/** Reads the name behind `&` or `*`, which is the next character. */
export function readAnchorName(cursor: YamlCursor): string {
  const pattern = /[0-9A-Za-z_-]+(?=[\s?:,\]}%@`]|$)/y;
  pattern.lastIndex = cursor.at + 1;
  const name = pattern.exec(cursor.text)?.[0];
  if (name === undefined) {
    throw cursor.scanError("did not find expected alphabetic or numeric character");
  }
  cursor.at += 1 + name.length;
  return name;
}

/** Finds characters of a tag. Commas and brackets belong to it, also within brackets. */
export const tagCharacters = /[\w;/?:@&=+$,.!~*'()[\]%-]*/y;

/** Reads a tag, whose `!` is the next character. `handles` are those that the document declares. */
export function readTag(cursor: YamlCursor, handles: ReadonlyMap<string, string>): string {
  const start = cursor.at;
  if (cursor.peek(1) === "<") {
    cursor.at += 2;
    const verbatim = cursor.take(tagCharacters);
    if (verbatim === "") {
      throw cursor.scanError("did not find expected tag URI");
    }
    if (cursor.peek() !== ">") {
      throw cursor.scanError("did not find the expected '>'");
    }
    cursor.at++;
    checkEnd(cursor);
    return shortTag(verbatim);
  }
  const handle = cursor.take(/!(?:[\w-]*!)?/y);
  const suffix = cursor.take(tagCharacters);
  checkEnd(cursor);
  const prefix = handles.get(handle) ?? (handle === "!!" ? standard : handle === "!" ? "!" : undefined);
  if (prefix === undefined) {
    throw cursor.parseError("found undefined tag handle", start);
  }
  return shortTag(prefix + suffix);
}

function checkEnd(cursor: YamlCursor): void {
  if (!cursor.isSpace()) {
    throw cursor.scanError("did not find expected whitespace or line break");
  }
}

function shortTag(tag: string): string {
  return tag.startsWith(standard) ? tag.slice(standard.length) : tag;
}
