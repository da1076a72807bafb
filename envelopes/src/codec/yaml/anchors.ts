import type { JsonValue } from "../../json.js";
import { copyJson } from "../copy-json.js";
import { DecodeError } from "../decode-error.js";
import { maxValues, tooManyValues } from "../json-value-count.js";

/** Named nodes of a document, and how many values it has come to, those included that aliases stand for. */
export class YamlAnchors {
  /** Undefined while the node is still being read. */
  readonly #nodes = new Map<string, { readonly value: JsonValue; readonly size: number } | undefined>();
  #count = 0;

  /** Values so far. The difference of two is the size of what was read in between. */
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

  /** A copy of the node. Throws DecodeError when there is none, or when aliases unfold without measure. */
  resolve(name: string): JsonValue {
    const node = this.#nodes.get(name);
    if (node === undefined) {
      const isOpen = this.#nodes.has(name);
      throw new DecodeError(
        `yaml: ${isOpen ? `anchor '${name}' value contains itself` : `unknown anchor '${name}' referenced`}`,
      );
    }
    this.spend(node.size);
    return copyJson(node.value);
  }

  /** Counts values that an alias or a merge adds. */
  spend(size: number): void {
    this.#count += size;
    if (this.#count > maxValues) {
      throw new DecodeError("yaml: document contains excessive aliasing");
    }
  }
}
