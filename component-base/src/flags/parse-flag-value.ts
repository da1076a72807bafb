import { isIP } from "node:net";
import { parseGoBoolean, parseMilliseconds } from "@gatehouse/envelopes/go";
import type { FlagDefinition, KeyValueFlag, StringListFlag } from "./flag-definition.js";

/** The value of a flag of any type: durations in milliseconds, undefined when unset without a default. */
export type AnyFlagValue = string | number | boolean | readonly string[] | ReadonlyMap<string, string> | undefined;

/** The value of a flag's text, or the reason why it has none; the reason ends a sentence about the argument. */
export type ParsedValue =
  | { readonly valid: true; readonly value: AnyFlagValue }
  | { readonly valid: false; readonly reason: string };

/** Bounds the work for one argument; the longest real lists have a few hundred entries. */
const maxListEntries = 10_000;

/** Reads the text of one use of a flag. `earlier` is what earlier uses gave; lists and maps add to it. */
export function parseFlagValue(definition: FlagDefinition, text: string, earlier: AnyFlagValue): ParsedValue {
  switch (definition.type) {
    case "string":
      return checkChoices([text], definition.choices) ?? valid(text);
    case "path":
      return text.includes("\0") ? invalid("a path cannot contain a NUL byte") : valid(text === "" ? undefined : text);
    case "bool": {
      const value = parseGoBoolean(text);
      return value === undefined ? invalid("must be true or false") : valid(value);
    }
    case "ip":
      return isIP(text.trim()) === 0 ? invalid(`failed to parse IP: ${JSON.stringify(text)}`) : valid(text.trim());
    case "int":
      return parseNumber(definition, goInteger(text), "a whole number");
    case "float":
      return parseNumber(definition, decimalNumber.test(text) ? Number(text) : Number.NaN, "a number");
    case "duration": {
      const value = parseMilliseconds(text);
      if (value === undefined) {
        return invalid("must be a duration such as 300ms, 1.5h or 2h45m");
      }
      return value < (definition.min ?? Number.NEGATIVE_INFINITY) ? invalid("is too short") : valid(value);
    }
    case "stringList":
      return parseList(definition, text, earlier);
    case "keyValue":
      return parseKeyValues(definition, text, earlier);
  }
}

/** The value of a flag that is not given. */
export function defaultFlagValue(definition: FlagDefinition): AnyFlagValue {
  switch (definition.type) {
    case "bool":
      return definition.default ?? false;
    case "duration":
      return definition.default === undefined ? undefined : parseMilliseconds(definition.default);
    case "stringList":
      return definition.default ?? [];
    case "keyValue":
      return new Map(Object.entries(definition.default ?? {}));
    case "path":
      return definition.default === "" ? undefined : definition.default;
    default:
      return definition.default;
  }
}

const decimalNumber = /^[+-]?(\d{1,30}(\.\d{0,30})?|\.\d{1,30})(e[+-]?\d{1,3})?$/i;

/** Parses an integer as Go's `strconv.ParseInt` does with base 0: decimal, `0x`, `0o` or a leading `0`, `0b`. */
function goInteger(text: string): number {
  const match = /^([+-]?)(?:(0x[0-9a-f]{1,13}|0o[0-7]{1,17}|0b[01]{1,53})|0([0-7]{1,17})|(\d{1,16}))$/i.exec(text);
  if (match === null) {
    return Number.NaN;
  }
  const [, sign, prefixed, octal, decimal] = match;
  const value = octal === undefined ? Number(prefixed ?? decimal) : Number.parseInt(octal, 8);
  return sign === "-" ? -value : value;
}

function parseNumber(
  range: { readonly min?: number; readonly max?: number },
  value: number,
  what: string,
): ParsedValue {
  if (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) {
    return invalid(`must be ${what}`);
  }
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = range;
  if (value >= min && value <= max) {
    return valid(value);
  }
  return invalid(
    range.max === undefined
      ? `must be at least ${min}`
      : range.min === undefined
        ? `must be at most ${max}`
        : `must be between ${min} and ${max}, inclusive`,
  );
}

function parseList(definition: StringListFlag, text: string, earlier: AnyFlagValue): ParsedValue {
  const parts = definition.keepCommas === true ? [text] : splitCommas(text);
  if (parts === undefined) {
    return invalid("has a quotation mark that is not closed");
  }
  const list = Array.isArray(earlier) ? [...earlier, ...parts] : parts;
  if (list.length > maxListEntries) {
    return invalid(`has more than ${maxListEntries} entries`);
  }
  return checkChoices(parts, definition.choices) ?? valid(list);
}

function parseKeyValues(definition: KeyValueFlag, text: string, earlier: AnyFlagValue): ParsedValue {
  const map = new Map(earlier instanceof Map ? earlier : []);
  for (const pair of text.split(",", maxListEntries)) {
    if (pair.trim() === "") {
      continue;
    }
    const equals = pair.indexOf("=");
    const key = (equals < 0 ? pair : pair.slice(0, equals)).trim();
    const value = equals < 0 ? definition.missingValue : pair.slice(equals + 1).trim();
    if (key === "" || value === undefined) {
      return invalid(`${JSON.stringify(pair)} must have the form key=value`);
    }
    map.set(key, value);
  }
  return valid(map);
}

function checkChoices(values: readonly string[], choices: readonly string[] | undefined): ParsedValue | undefined {
  const stranger = choices === undefined ? undefined : values.find((value) => !choices.includes(value));
  return stranger === undefined
    ? undefined
    : invalid(`${JSON.stringify(stranger)} is not one of ${choices?.map((choice) => choice || '""').join(", ")}`);
}

/** One line of comma-separated values (RFC 4180 quoting), as kube-apiserver's list flags read it. */
function splitCommas(text: string): string[] | undefined {
  if (text === "") {
    return [];
  }
  if (!text.includes('"')) {
    return text.split(",");
  }
  const parts: string[] = [];
  const part = /"((?:[^"]|"")*)"(?=,|$)|([^",]*)(?=,|$)/y;
  for (let at = 0; at <= text.length; at = part.lastIndex + 1) {
    part.lastIndex = at;
    const match = part.exec(text);
    if (match === null) {
      return undefined;
    }
    parts.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? "");
  }
  return parts;
}

function valid(value: AnyFlagValue): ParsedValue {
  return { valid: true, value };
}

function invalid(reason: string): ParsedValue {
  return { valid: false, reason };
}
