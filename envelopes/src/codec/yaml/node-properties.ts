import { DecodeError } from "../../errors.js";
import { isInt64 } from "../../json/int64.js";
import type { JsonValue } from "../../json/json.js";
import type { YamlCursor } from "./cursor.js";
import { resolvePlainScalar } from "./plain-scalar.js";

/** The anchor and tag before a node. */
export interface NodeProperties {
  readonly anchor: string | undefined;
  /** The tag: `str` for `!!str`; others as they are written. */
  readonly tag: string | undefined;
}

/** The properties of a node with neither; the reader compares by identity. */
export const noProperties: NodeProperties = { anchor: undefined, tag: undefined };

const standard = "tag:yaml.org,2002:";

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

const resolvable: ReadonlySet<string> = new Set(["bool", "int", "float", "null", "timestamp"]);

/**
 * Returns the value of a scalar by its tag, or else by its text if unquoted. Infinity and NaN are possible. Throws DecodeError
 * when the text is not what the tag says.
 */
export function scalarValue(text: string, isPlain: boolean, tag: string | undefined): JsonValue {
  if (tag === "binary") {
    const padded = text.replace(/(?<!\n)\n+$/, "");
    if (!/^[A-Za-z0-9+/\n]*={0,2}$/.test(padded) || text.replaceAll("\n", "").length % 4 !== 0) {
      throw new DecodeError("yaml: !!binary value contains invalid base64 data");
    }
    return Buffer.from(text, "base64").toString("utf8");
  }
  if (tag === undefined ? !isPlain : !resolvable.has(tag)) {
    return text;
  }
  const { tag: found, value } = resolvePlainScalar(text);
  // Without the tag, a time is a text like others, and of tags none but its own takes it for a time.
  const isWhole = found === "int" && isInt64(value as number | bigint);
  const isOther = tag !== undefined && tag !== found && !(tag === "float" && isWhole);
  if (isOther) {
    const said = found === "timestamp" ? "str" : found;
    throw new DecodeError(`yaml: cannot decode !!${said} \`${text}\` as a !!${tag}`);
  }
  return value;
}
