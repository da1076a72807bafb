import { goUnquote } from "@gatehouse/envelopes/go";
import { isInt64 } from "@gatehouse/envelopes/json";
import { JsonPathError } from "../../errors/errors.js";
import type { JsonPath, PathNode, SliceEnd } from "./node.js";

/** Limits of a path, beyond which it is not read: its characters, and how deep filters lie in filters. */
const maxLength = 100_000;
const maxDepth = 30;

/**
 * Parses a path as kubectl does the text between braces: `.a.b`, `['a']`, `[0]`, `[1:3]`, `[*]`, `..a`,
 * `[?(@.type=="Ready")]`. A closing brace in it ends the path; those that follow in braces are further ones. Throws
 * JsonPathError.
 */
export function parseJsonPath(text: string): JsonPath {
  if (text.length > maxLength) {
    throw new JsonPathError(`the path is longer than ${maxLength} characters`);
  }
  const [path = [], ...further] = parseAll(text, 0);
  return [...path, ...further.map((next) => ({ type: "aside", path: next }) as const)];
}

/** Parses the paths of a text: the first one, and those in braces behind it. */
function parseAll(text: string, depth: number): readonly JsonPath[] {
  if (depth > maxDepth) {
    throw new JsonPathError(`filters lie deeper than ${maxDepth} in each other`);
  }
  const paths: JsonPath[] = [];
  for (let at = 0; at >= 0; ) {
    const parser = new PathParser(text, at, depth);
    paths.push(parser.parse());
    at = text.indexOf("{", parser.end) + 1 || -1;
  }
  return paths;
}

/** Parses a path that is a part of another: of further ones nothing counts but that they can be read. */
function parsePart(text: string, depth: number): JsonPath {
  return parseAll(text, depth)[0] ?? [];
}

const dictionaryKey = /^'([^']*)'$/;
const slice = /^(-?\d*)(:-?\d*)?(:-?\d*)?$/;
const comparison = /^([^!<>=]+)([!<>=]+)(.+?)$/s;

class PathParser {
  readonly #text: string;
  readonly #depth: number;
  readonly #nodes: PathNode[] = [];
  #at: number;

  /** Makes a parser of the path that begins at `from`. `depth` counts the paths around it. */
  constructor(text: string, from: number, depth: number) {
    this.#text = text;
    this.#at = from;
    this.#depth = depth;
  }

  /** The place of the brace that ends the path, or the end of the text. */
  get end(): number {
    return this.#at;
  }

  parse(): JsonPath {
    while (this.#at < this.#text.length && this.#text[this.#at] !== "}") {
      this.#step();
    }
    return this.#nodes;
  }

  #step(): void {
    const text = this.#text;
    const character = text[this.#at] as string;
    if (text.startsWith("[?(", this.#at)) {
      this.#filter();
    } else if (text.startsWith("..", this.#at)) {
      this.#recursive();
    } else if (character === " " || character === "@" || character === "$") {
      this.#at++;
    } else if (character === "[") {
      this.#brackets();
    } else if (character === '"' || character === "'") {
      this.#quoted(character);
    } else if (character === ".") {
      this.#at++;
      this.#field();
    } else if (/[-+\p{Nd}]/u.test(character)) {
      this.#number();
    } else if (/[\p{L}_]/u.test(character)) {
      this.#identifier();
    } else {
      throw new JsonPathError(`unrecognized character in action: ${JSON.stringify(character)}`);
    }
  }

  /** Parses a name up to the next character that ends one; a backslash makes the next character part of it. */
  #field(): void {
    const start = this.#at;
    while (this.#at < this.#text.length && !isTerminator(this.#text[this.#at] as string)) {
      this.#at += this.#text[this.#at] === "\\" ? 2 : 1;
    }
    if (this.#at > this.#text.length) {
      throw new JsonPathError("unclosed action"); // The backslash takes the brace behind the path.
    }
    const name = this.#text.slice(start, this.#at);
    this.#nodes.push(name === "*" ? { type: "wildcard" } : { type: "field", name: name.replaceAll("\\", "") });
  }

  #recursive(): void {
    if (this.#nodes.at(-1)?.type === "recursive") {
      throw new JsonPathError("invalid multiple recursive descent");
    }
    this.#at += 2;
    this.#nodes.push({ type: "recursive" });
    if (/[\p{L}\p{Nd}_]/u.test(this.#text[this.#at] ?? "")) {
      this.#field();
    }
  }

  #brackets(): void {
    const end = this.#text.indexOf("]", this.#at);
    if (end < 0 || this.#text.slice(this.#at, end).includes("\n")) {
      throw new JsonPathError("unterminated array");
    }
    const inner = this.#text.slice(this.#at + 1, end);
    this.#at = end + 1;
    this.#nodes.push(...selectorNodes(inner, this.#depth + 1));
  }

  /** Parses a filter up to the parenthesis that is not inside of quotes; quotes are looked for once. */
  #filter(): void {
    const start = this.#at + 3;
    const end = endOfFilter(this.#text, start);
    const condition = this.#text.slice(start, end);
    this.#at = end + 2;
    const [, left, operator, right] = comparison.exec(condition) ?? [];
    this.#nodes.push(
      left === undefined
        ? { type: "filter", left: parsePart(condition, this.#depth + 1), operator: "exists", right: [] }
        : {
            type: "filter",
            left: parsePart(left, this.#depth + 1),
            operator: operator as string,
            right: parsePart(right as string, this.#depth + 1),
          },
    );
  }

  #quoted(quote: '"' | "'"): void {
    let at = this.#at + 1;
    while (at < this.#text.length && (this.#text[at] !== quote || this.#text[at - 1] === "\\")) {
      at++;
    }
    const written = this.#text.slice(this.#at + 1, at);
    const value = goUnquote(written, quote);
    if (at >= this.#text.length || value === undefined || written.includes("\n")) {
      throw new JsonPathError("the text in quotes does not end, or is misshapen");
    }
    this.#at = at + 1;
    this.#nodes.push({ type: "constant", value });
  }

  #number(): void {
    const found = /^[-+]?[\d.]*/.exec(this.#text.slice(this.#at))?.[0] ?? "";
    const value = Number(found);
    if (found === "" || Number.isNaN(value)) {
      throw new JsonPathError(`cannot parse number ${found}`);
    }
    this.#at += found.length;
    const whole = found.includes(".") ? undefined : integerOf(found);
    this.#nodes.push({ type: "constant", ...(whole === undefined ? { value, isDouble: true } : { value: whole }) });
  }

  #identifier(): void {
    const start = this.#at;
    while (this.#at < this.#text.length && !isTerminator(this.#text[this.#at] as string)) {
      this.#at++;
    }
    const name = this.#text.slice(start, this.#at);
    const isBoolean = name === "true" || name === "false";
    this.#nodes.push(isBoolean ? { type: "constant", value: name === "true" } : { type: "identifier", name });
  }
}

/** Returns an integer as JSON values hold it; undefined for one that no int64 holds. */
function integerOf(text: string): number | bigint | undefined {
  const value = BigInt(text.replace("+", ""));
  const isSafe = value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER;
  return isSafe ? Number(value) : isInt64(value) ? value : undefined;
}

function isTerminator(character: string): boolean {
  return /[ \t\r\n.,[\]$@{}]/.test(character);
}

function endOfFilter(text: string, start: number): number {
  let quote: string | undefined;
  let isClosed = false;
  for (let at = start; at < text.length; at++) {
    const character = text[at] as string;
    if (character === '"' || character === "'") {
      if (quote === undefined) {
        quote = character;
      } else if (text[at - 1] !== "\\" && character === quote) {
        isClosed = true;
      }
    } else if (character === ")" && (quote !== undefined) === isClosed) {
      if (text[at + 1] !== "]") {
        throw new JsonPathError("unclosed array expect ]");
      }
      return at;
    }
  }
  throw new JsonPathError("unterminated filter");
}

/** Parses the text in brackets: several selectors, the name of a member, or a slice of a list. */
function selectorNodes(text: string, depth: number): readonly PathNode[] {
  const parts = text.split(",");
  if (parts.length > 1) {
    return [{ type: "union", paths: parts.map((part) => selectorNodes(part.replace(/^ +|(?<! ) +$/g, ""), depth)) }];
  }
  const key = dictionaryKey.exec(text);
  if (key !== null) {
    return parsePart(`.${key[1]}`, depth);
  }
  const bounds = slice.exec(text === "*" ? ":" : text);
  if (bounds === null) {
    throw new JsonPathError(`invalid array index ${text}`);
  }
  const [, from = "", to, step] = bounds;
  return [{ type: "slice", from: boundOf(from), to: endOf(to), step: boundOf(step?.slice(1) ?? "") }];
}

function endOf(text: string | undefined): SliceEnd {
  return text === undefined ? "one" : (boundOf(text.slice(1)) ?? "end");
}

function boundOf(text: string): number | undefined {
  if (text === "") {
    return undefined;
  }
  const bound = Number(text);
  if (!Number.isSafeInteger(bound)) {
    throw new JsonPathError(`array index ${text} is not a number`);
  }
  return bound;
}
