import { JsonPathError } from "../../errors/errors.js";
import type { JsonPath, PathNode, SliceEnd } from "./node.js";

/** Parses a path as kubectl does: `.a.b`, `['a']`, `[0]`, `[1:3]`, `[*]`, `..a`, `[?(@.type=="Ready")]`. Throws JsonPathError. */
export function parseJsonPath(text: string): JsonPath {
  return new PathParser(text).parse();
}

const dictionaryKey = /^'([^']*)'$/;
const slice = /^(-?\d*)(:-?\d*)?(:-?\d*)?$/;
const comparison = /^([^!<>=]+)([!<>=]+)(.+?)$/s;

class PathParser {
  readonly #text: string;
  readonly #nodes: PathNode[] = [];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  parse(): JsonPath {
    while (this.#at < this.#text.length) {
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
    } else if (/[-+0-9]/.test(character)) {
      this.#number();
    } else {
      this.#identifier();
    }
  }

  /** Parses a name up to the next character that ends one; a backslash makes the next character part of it. */
  #field(): void {
    const start = this.#at;
    while (this.#at < this.#text.length && !isTerminator(this.#text[this.#at] as string)) {
      this.#at += this.#text[this.#at] === "\\" ? 2 : 1;
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
    if (end < 0) {
      throw new JsonPathError("unterminated array");
    }
    const inner = this.#text.slice(this.#at + 1, end);
    this.#at = end + 1;
    this.#nodes.push(...selectorNodes(inner));
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
        ? { type: "filter", left: parseJsonPath(condition), operator: "exists", right: [] }
        : {
            type: "filter",
            left: parseJsonPath(left),
            operator: operator as string,
            right: parseJsonPath(right as string),
          },
    );
  }

  #quoted(quote: string): void {
    let at = this.#at + 1;
    while (at < this.#text.length && (this.#text[at] !== quote || this.#text[at - 1] === "\\")) {
      at++;
    }
    if (at >= this.#text.length) {
      throw new JsonPathError("unterminated quoted string");
    }
    const value = this.#text.slice(this.#at + 1, at).replace(/\\(.)/gs, "$1");
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
    this.#nodes.push({ type: "constant", value });
  }

  #identifier(): void {
    const found = /^[^\s.,[\]$@{}]+/.exec(this.#text.slice(this.#at))?.[0] ?? "";
    if (found !== "true" && found !== "false") {
      throw new JsonPathError(`unrecognized identifier ${found}`);
    }
    this.#at += found.length;
    this.#nodes.push({ type: "constant", value: found === "true" });
  }
}

function isTerminator(character: string): boolean {
  return /[\s.,[\]$@{}]/.test(character);
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
function selectorNodes(text: string): readonly PathNode[] {
  const parts = text.split(",");
  if (parts.length > 1) {
    return [{ type: "union", paths: parts.map((part) => selectorNodes(part.replace(/^ +| +$/g, ""))) }];
  }
  const key = dictionaryKey.exec(text);
  if (key !== null) {
    return parseJsonPath(`.${key[1]}`);
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
