import { DecodeError } from "../../errors.js";
import { isJsonObject, type JsonValue } from "../../json/json.js";
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

  /** Returns a copy of the node. Throws DecodeError when there is none, or when aliases expand without limit. */
  resolve(name: string): JsonValue {
    const node = this.#nodes.get(name);
    if (node === undefined) {
      const isOpen = this.#nodes.has(name);
      throw new DecodeError(
        `yaml: ${isOpen ? `anchor '${name}' value contains itself` : `unknown anchor '${name}' referenced`}`,
      );
    }
    this.spend(node.size);
    this.#aliasedLength += lengthOf(node.value);
    if (this.#aliasedLength > maxAliasedLength) {
      throw excessiveAliasing();
    }
    return copyJson(node.value);
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
