import { DecodeError } from "../../errors.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../json/json.js";
import { copyJson } from "../copy-json.js";
import { maxValues, tooManyValues } from "../json-value-count.js";

/**
 * Characters that aliases may add to a document: as many as a body may have bytes. kube-apiserver unfolds more than that,
 * and refuses the object afterwards.
 */
const maxAliasedLength = 3 * 1024 * 1024;

/** The anchored nodes of a document, and its size with all that aliases stand for. */
export class YamlAnchors {
  /** Nodes by anchor; undefined while the node is still being read. */
  readonly #nodes = new Map<string, { readonly value: JsonValue; readonly size: number } | undefined>();
  /** Lines of the values of maps that may be merged into others, by key: messages about keys given twice tell them. */
  readonly #lines = new WeakMap<JsonObject, ReadonlyMap<string, number>>();
  #count = 0;
  #aliasedLength = 0;

  /** Characters that aliases have added. */
  get aliasedLength(): number {
    return this.#aliasedLength;
  }

  /** The number of values so far. The difference of two is the size of what was read in between. */
  get count(): number {
    return this.#count;
  }

  /** Counts a value. Throws DecodeError when the document has too many. */
  add(): void {
    if (++this.#count > maxValues) {
      throw tooManyValues("yaml");
    }
  }

  open(name: string): void {
    this.#nodes.set(name, undefined);
  }

  define(name: string, value: JsonValue, size: number): void {
    this.#nodes.set(name, { value, size });
  }

  /**
   * Returns a copy of the node; undefined while it is being read. Throws DecodeError when there is none, or when aliases expand
   * without limit.
   */
  resolve(name: string): JsonValue | undefined {
    const node = this.#nodes.get(name);
    if (node === undefined) {
      if (this.#nodes.has(name)) {
        return undefined;
      }
      throw new DecodeError(`yaml: unknown anchor '${name}' referenced`);
    }
    this.spend(node.size);
    this.#aliasedLength += lengthOf(node.value);
    if (this.#aliasedLength > maxAliasedLength) {
      throw excessiveAliasing();
    }
    const copy = copyJson(node.value);
    if (isJsonObject(node.value)) {
      this.noteLines(copy as JsonObject, this.linesOf(node.value));
    }
    return copy;
  }

  /** Notes the lines of the values of a map, by key. */
  noteLines(map: JsonObject, lines: ReadonlyMap<string, number> | undefined): void {
    if (lines !== undefined) {
      this.#lines.set(map, lines);
    }
  }

  /** Returns the lines of the values of a map, by key, if they have been noted. */
  linesOf(map: JsonObject): ReadonlyMap<string, number> | undefined {
    return this.#lines.get(map);
  }

  /** Counts values that an alias or a merge adds. */
  spend(size: number): void {
    this.#count += size;
    if (this.#count > maxValues) {
      throw excessiveAliasing();
    }
  }
}

function excessiveAliasing(): DecodeError {
  return new DecodeError("yaml: document contains excessive aliasing");
}

/** Characters of all names and texts in a value. */
function lengthOf(value: JsonValue): number {
  if (typeof value === "string") {
    return value.length;
  }
  if (Array.isArray(value)) {
    return value.reduce<number>((length, item) => length + lengthOf(item), 0);
  }
  return isJsonObject(value)
    ? Object.keys(value).reduce((length, key) => length + key.length + lengthOf(value[key] ?? null), 0)
    : 0;
}
