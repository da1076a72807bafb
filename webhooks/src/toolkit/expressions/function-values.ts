import { patternOf } from "@gatehouse/policies/patterns";
import type { FunctionName } from "./node.js";
import { ExpressionError, sizeOf, toText, type Value } from "./values.js";

/** A function of values. Throws ExpressionError for values of types that it does not know. */
export type CompiledFunction = (args: readonly Value[]) => Value;

/** The functions that expressions can call. */
export const functions: Readonly<Record<FunctionName, CompiledFunction>> = {
  startsWith: ([text, start]) => textOf(text).startsWith(textOf(start)),
  endsWith: ([text, end]) => textOf(text).endsWith(textOf(end)),
  contains: ([text, part]) => textOf(text).includes(textOf(part)),
  matches: ([text, pattern]) => isMatch(textOf(text), textOf(pattern)),
  lowerAscii: ([text]) => textOf(text).replace(/[A-Z]+/g, (letters) => letters.toLowerCase()),
  size: ([value = null]) => sizeOf(value),
  join: ([texts, separator]) => listOf(texts).map(textOf).join(textOf(separator)),
  string: ([value = null]) => toText(value),
  "+": (texts) => texts.map(textOf).join(""),
};

function isMatch(text: string, source: string): boolean {
  const pattern = patternOf(source);
  if (pattern.isTooLong(text)) {
    throw new ExpressionError(`a text of ${text.length} characters is too long to be matched against '${source}'`);
  }
  return pattern.matches(text);
}

function textOf(value: Value | undefined): string {
  if (typeof value !== "string") {
    throw new ExpressionError("is no text");
  }
  return value;
}

function listOf(value: Value | undefined): readonly Value[] {
  if (!Array.isArray(value)) {
    throw new ExpressionError("is no list");
  }
  return value;
}
