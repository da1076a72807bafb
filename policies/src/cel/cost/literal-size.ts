import type { Expression } from "../syntax/expression.js";
import type { CelType } from "../types/cel-type.js";
import { exactly, type Range } from "./range.js";

const one = exactly(1n);

/** Returns the size of a literal; undefined for other nodes. */
export function sizeOfLiteral(node: Expression): Range | undefined {
  switch (node.kind) {
    case "literal":
      return sizeOfValue(node.value);
    case "list":
      return exactly(BigInt(node.elements.length));
    case "map":
      return exactly(BigInt(node.entries.length));
    case "struct":
      return exactly(0n);
    default:
      return undefined;
  }
}

function sizeOfValue(value: unknown): Range {
  if (typeof value === "string") {
    return exactly(BigInt(codePointsOf(value)));
  }
  return value instanceof Uint8Array ? exactly(BigInt(value.length)) : one;
}

/** Returns the size of all values of a type, if it is the same for all. */
export function sizeOfType({ kind }: CelType): Range | undefined {
  switch (kind) {
    case "bool":
    case "double":
    case "duration":
    case "int":
    case "timestamp":
    case "uint":
      return one;
    default:
      return undefined;
  }
}

function codePointsOf(text: string): number {
  let count = 0;
  for (const _ of text) {
    count++;
  }
  return count;
}
