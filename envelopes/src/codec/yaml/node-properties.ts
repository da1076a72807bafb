import { DecodeError } from "../../errors.js";
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

/** Reads a tag, whose `!` is the next character. `handles` are those that the document declares. */
export function readTag(cursor: YamlCursor, handles: ReadonlyMap<string, string>): string {
  const start = cursor.at;
  const pattern = /!<([^>\s]*)>|(!(?:[0-9A-Za-z_-]*!)?)([^\s,[\]{}!]*)/y;
  pattern.lastIndex = start;
  const match = pattern.exec(cursor.text);
  cursor.at += match?.[0].length ?? 1;
  if (!cursor.isSpace() && cursor.peek() !== ",") {
    throw cursor.scanError("did not find expected whitespace or line break");
  }
  const [, verbatim, handle = "!", suffix = ""] = match ?? [];
  if (verbatim !== undefined) {
    return shortTag(verbatim);
  }
  const prefix = handles.get(handle) ?? (handle === "!!" ? standard : handle === "!" ? "!" : undefined);
  if (prefix === undefined) {
    throw cursor.parseError("found undefined tag handle", start);
  }
  return shortTag(prefix + suffix);
}

function shortTag(tag: string): string {
  return tag.startsWith(standard) ? tag.slice(standard.length) : tag;
}

const resolvable: ReadonlySet<string> = new Set(["bool", "int", "float", "null", "timestamp"]);

/** Returns the value of a scalar by its tag, or else by its text if unquoted. Throws DecodeError. */
export function scalarValue(text: string, isPlain: boolean, tag: string | undefined): JsonValue {
  if (tag === "binary") {
    if (!/^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(text) || text.replace(/\s/g, "").length % 4 !== 0) {
      throw new DecodeError("yaml: !!binary value contains invalid base64 data");
    }
    return Buffer.from(text, "base64").toString("utf8");
  }
  if (tag === undefined ? !isPlain : !resolvable.has(tag)) {
    return text;
  }
  const value = resolvePlainScalar(text);
  if (value === undefined) {
    throw new DecodeError(
      `json: unsupported value: ${/nan/i.test(text) ? "NaN" : text.startsWith("-") ? "-Inf" : "+Inf"}`,
    );
  }
  const found = tagOf(value);
  if (tag !== undefined && tag !== "timestamp" && tag !== found && !(tag === "float" && found === "int")) {
    throw new DecodeError(`yaml: cannot decode !!${found} \`${text}\` as a !!${tag}`);
  }
  return value;
}

function tagOf(value: JsonValue): string {
  switch (typeof value) {
    case "boolean":
      return "bool";
    case "bigint":
      return "int";
    case "number":
      return Number.isInteger(value) ? "int" : "float";
    default:
      return value === null ? "null" : "str";
  }
}
