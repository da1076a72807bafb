import { BoxedDouble, Uint } from "../values/value.js";
import type { Expression, Literal } from "./expression.js";

/** Prints a tree in one line: calls as functions, `~` behind a test for a field, `loop(...)` for what macros made. */
export function printExpression(node: Expression): string {
  switch (node.kind) {
    case "literal":
      return printLiteral(node);
    case "identifier":
      return node.name;
    case "select":
      return `${printExpression(node.operand)}.${node.field}${node.isTest ? "~" : ""}`;
    case "call":
      return `${node.target ? `${printExpression(node.target)}.` : ""}${node.name}(${node.args.map(printExpression).join(", ")})`;
    case "list": {
      const elements = node.elements.map((element, index) => mark(node.optionalIndexes.includes(index), element));
      return `[${elements.join(", ")}]`;
    }
    case "map": {
      const entries = node.entries.map(
        ({ key, value, isOptional }) => `${mark(isOptional, key)}: ${printExpression(value)}`,
      );
      return `{${entries.join(", ")}}`;
    }
    case "struct": {
      const fields = node.fields.map(
        ({ field, value, isOptional }) => `${isOptional ? "?" : ""}${field}: ${printExpression(value)}`,
      );
      return `${node.typeName}{${fields.join(", ")}}`;
    }
    case "comprehension": {
      const { range, variable, accumulator, initial, condition, step, result } = node;
      const parts = [initial, condition, step, result].map(printExpression).join("; ");
      return `loop(${variable} in ${printExpression(range)}; ${accumulator} = ${parts})`;
    }
  }
}

function mark(isOptional: boolean, node: Expression): string {
  return `${isOptional ? "?" : ""}${printExpression(node)}`;
}

function printLiteral({ value }: Literal): string {
  if (value instanceof Uint) return `${value.value}u`;
  if (value instanceof BoxedDouble) return `${Object.is(value.value, -0) ? "-0" : value.value}.0`;
  if (value instanceof Uint8Array) return `bytes(${[...value].join(", ")})`;
  return typeof value === "bigint" ? `${value}` : JSON.stringify(value);
}
