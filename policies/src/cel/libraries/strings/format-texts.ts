import { goQuote } from "@gatehouse/envelopes/go";
import { toText } from "../../values/conversion.js";
import { EvaluationError } from "../../values/evaluation-error.js";
import { entryAt, keysOf } from "../../values/maps.js";
import { doubleText, numberOf } from "../../values/numbers.js";
import { isDouble, isList, isMap, isOpaque, itemsOf, type MapValue, typeName } from "../../values/type-name.js";
import { CelObject, type CelValue, Duration, Optional, Timestamp, TypeValue } from "../../values/value.js";
import { countWork } from "../../values/work.js";
import { fixedDigits } from "./format-decimals.js";

/** The work of writing a value as a literal. */
const literalWork = 200;

/** Formats a value (`%s`); what lists and maps hold is written as literals. */
export function formatText(value: CelValue): string {
  if (isList(value)) {
    return `[${itemsOf(value).map(literalText).join(", ")}]`;
  }
  if (isMap(value)) {
    return mapText(value);
  }
  if (hasNoText(value)) {
    const kinds = "strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps";
    throw new EvaluationError(`string clause can only be used on ${kinds}, was given ${typeName(value)}`);
  }
  return scalarText(value);
}

function hasNoText(value: CelValue): boolean {
  return isOpaque(value) || value instanceof Optional || value instanceof CelObject;
}

function scalarText(value: CelValue): string {
  if (value === null) {
    return "null";
  }
  if (value instanceof TypeValue) {
    return value.name;
  }
  try {
    return toText(value);
  } catch (error) {
    throw error instanceof EvaluationError
      ? new EvaluationError(`could not convert argument ${goQuote(error.message)} to string`)
      : error;
  }
}

function mapText(map: MapValue): string {
  const entries = keysOf(map).map((key) => {
    const value = entryAt(map, key) ?? null;
    return { key: literalText(key), text: literalText(value) };
  });
  entries.sort((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)));
  return `{${entries.map(({ key, text }) => `${key}:${text}`).join(", ")}}`;
}

function literalText(value: CelValue): string {
  countWork(literalWork);
  if (typeof value === "string") {
    return goQuote(value);
  }
  if (isDouble(value)) {
    const number = numberOf(value);
    return Number.isFinite(number) ? fixedDigits(number, 6) : goQuote(doubleText(number));
  }
  if (value instanceof Uint8Array) {
    return `b${goQuote(scalarText(value))}`;
  }
  if (value instanceof Timestamp || value instanceof Duration) {
    return `${value instanceof Timestamp ? "timestamp" : "duration"}(${goQuote(scalarText(value))})`;
  }
  if (hasNoText(value)) {
    throw new EvaluationError(`no formatting function for ${typeName(value)}`);
  }
  return formatText(value);
}
