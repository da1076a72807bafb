import { isJsonObject, type JsonArray, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";
import { goQuote } from "@gatehouse/envelopes/status";
import { checkFormat, checkNumber, checkString, checkType } from "./check-scalars.js";
import { ValidationResult } from "./validation-result.js";
import type { ValueRules } from "./value-rules.js";

/** Work that yields between parts of it, so that other work can have its turn. */
export type SlicedWork = Generator<undefined, void, undefined>;

/** Nodes that are checked before the clock is looked at. */
const nodesPerLook = 16;
const sliceMs = 5;

/** The work done since the last yield. One for all that is checked of an object. */
export class Slices {
  #nodes = 0;
  #until = performance.now() + sliceMs;

  /** Reports whether it is time to yield. After work that may take long the clock is read in any case. */
  isOver(wasLong = false): boolean {
    this.#nodes++;
    if (this.#nodes < nodesPerLook && !wasLong) {
      return false;
    }
    this.#nodes = 0;
    const now = performance.now();
    if (now < this.#until) {
      return false;
    }
    // Other work in between may have taken long, so the slice begins now.
    this.#until = now + sliceMs;
    return true;
  }
}

/**
 * Checks a value against the rules of its node, as v1.29's schema validator does: in its order, with its messages, and with
 * its way to choose the alternative that is blamed. Object members come in the order of their keys.
 */
export function* checkValue(
  rules: ValueRules,
  value: JsonValue,
  path: string,
  result: ValidationResult,
  slices: Slices,
): SlicedWork {
  if (slices.isOver(rules.hasPattern)) {
    yield;
  }
  if (value === null) {
    checkType(rules, value, path, result);
    checkEnum(rules, value, path, result);
    return;
  }
  if (rules.types.length > 0 || rules.format !== "") {
    checkType(rules, value, path, result);
    result.matchCount++;
  }
  if (rules.hasAlternatives) {
    yield* checkAlternatives(rules, value, path, result, slices);
  }
  // The alternatives count as met even where there are none.
  result.matchCount += 2;
  if (typeof value === "object") {
    if (Array.isArray(value)) {
      yield* checkItems(rules, value, path, result, slices);
    }
    checkEnum(rules, value, path, result);
    if (isJsonObject(value)) {
      yield* checkMembers(rules, value, path, result, slices);
    }
    result.matchCount += 3;
    return;
  }
  checkScalar(rules, value, path, result);
  checkEnum(rules, value, path, result);
  result.matchCount += 2;
}

function checkScalar(
  rules: ValueRules,
  value: string | number | bigint | boolean,
  path: string,
  result: ValidationResult,
): void {
  if (typeof value === "string") {
    checkString(rules, value, path, result);
    result.matchCount++;
    if (rules.format !== "") {
      checkFormat(rules, value, path, result);
      result.matchCount++;
    }
  } else if (typeof value !== "boolean") {
    checkNumber(rules, value, path, result);
    result.matchCount++;
  }
}

function checkEnum(rules: ValueRules, value: JsonValue, path: string, result: ValidationResult): void {
  if (rules.enum !== undefined && !rules.enum.includes(value)) {
    const message = `${path} in body should be one of the enum`;
    result.add({ code: "enum", path, value, allowed: rules.enum, message });
  }
}

function* checkItems(
  rules: ValueRules,
  list: JsonArray,
  path: string,
  result: ValidationResult,
  slices: Slices,
): SlicedWork {
  const { items, minItems, maxItems } = rules;
  if (items !== undefined) {
    for (let index = 0; index < list.length; index++) {
      const item = list[index] as JsonValue;
      const itemPath = `${path}[${index}]`;
      if (isPlain(items, item)) {
        checkPlain(items, item, itemPath, result);
        if (slices.isOver(items.hasPattern)) {
          yield;
        }
      } else {
        yield* checkValue(items, item, itemPath, result, slices);
      }
    }
  }
  const count = list.length;
  if (minItems !== undefined && count < minItems) {
    const message = `${path} in body should have at least ${minItems} items`;
    result.add({ code: "invalid", path, value: count, message });
  }
  if (maxItems !== undefined && count > maxItems) {
    const message = `${path} in body should have at most ${maxItems} items`;
    result.add({ code: "tooManyItems", path, value: count, max: maxItems, message });
  }
  result.matchCount++;
}

function* checkMembers(
  rules: ValueRules,
  object: JsonObject,
  path: string,
  result: ValidationResult,
  slices: Slices,
): SlicedWork {
  const keys = Object.keys(object).filter((key) => object[key] !== undefined);
  checkMemberCount(rules, keys.length, path, result);
  const { additionalProperties } = rules;
  if (additionalProperties !== undefined) {
    for (const key of keys) {
      if (rules.property(key) === undefined) {
        yield* checkValue(additionalProperties, object[key] as JsonValue, `${path}.${key}`, result, slices);
      }
    }
  }
  for (const key of keys) {
    const member = rules.property(key);
    if (member === undefined) {
      continue;
    }
    const value = object[key] as JsonValue;
    const memberPath = path === "" ? key : `${path}.${key}`;
    if (isPlain(member, value)) {
      checkPlain(member, value, memberPath, result);
      if (slices.isOver(member.hasPattern)) {
        yield;
      }
    } else {
      yield* checkValue(member, value, memberPath, result, slices);
    }
  }
  for (const name of rules.required) {
    if (result.isFull) {
      break;
    }
    if (!Object.hasOwn(object, name) || object[name] === undefined) {
      const missing = `${path}.${name}`;
      result.add({ code: "required", path: missing, value: "", message: `${missing} in body is required` });
    }
  }
}

/**
 * Reports whether a value can be checked without a generator, as most can: one for each would cost more than the check.
 */
function isPlain(rules: ValueRules, value: JsonValue): boolean {
  return typeof value !== "object" && !rules.hasAlternatives;
}

/** Checks a scalar that has no alternatives, as `checkValue` does. */
function checkPlain(rules: ValueRules, value: JsonValue, path: string, result: ValidationResult): void {
  if (rules.types.length > 0 || rules.format !== "") {
    checkType(rules, value, path, result);
    result.matchCount++;
  }
  checkScalar(rules, value as string | number | bigint | boolean, path, result);
  checkEnum(rules, value, path, result);
  result.matchCount += 4;
}

function checkMemberCount(rules: ValueRules, count: number, path: string, result: ValidationResult): void {
  const { minProperties, maxProperties } = rules;
  if (minProperties !== undefined && count < minProperties) {
    const message = `${path} in body should have at least ${minProperties} properties`;
    result.add({ code: "invalid", path, value: count, message });
  }
  if (maxProperties !== undefined && count > maxProperties) {
    const message = `${path} in body should have at most ${maxProperties} properties`;
    result.add({ code: "tooManyItems", path, value: count, max: maxProperties, message });
  }
}

/** Checks anyOf, oneOf, allOf and not, in this order. */
function* checkAlternatives(
  rules: ValueRules,
  value: JsonValue,
  path: string,
  result: ValidationResult,
  slices: Slices,
): SlicedWork {
  yield* checkAnyOf(rules.alternatives("anyOf"), value, path, result, slices);
  yield* checkOneOf(rules.alternatives("oneOf"), value, path, result, slices);
  yield* checkAllOf(rules.alternatives("allOf"), value, path, result, slices);
  const { not } = rules;
  if (not !== undefined) {
    const inner = new ValidationResult();
    yield* checkValue(not, value, path, inner, slices);
    if (inner.isValid) {
      addSchemaError(result, path, "must not validate the schema (not)");
    }
  }
}

function* checkAnyOf(
  alternatives: readonly ValueRules[],
  value: JsonValue,
  path: string,
  result: ValidationResult,
  slices: Slices,
): SlicedWork {
  if (alternatives.length === 0) {
    return;
  }
  let best: ValidationResult | undefined;
  for (const alternative of alternatives) {
    const inner = new ValidationResult();
    yield* checkValue(alternative, value, path, inner, slices);
    if (inner.isValid) {
      result.merge(inner);
      return;
    }
    best = better(best, inner);
  }
  addSchemaError(result, path, "must validate at least one schema (anyOf)");
  result.merge(best as ValidationResult);
}

function* checkOneOf(
  alternatives: readonly ValueRules[],
  value: JsonValue,
  path: string,
  result: ValidationResult,
  slices: Slices,
): SlicedWork {
  if (alternatives.length === 0) {
    return;
  }
  let best: ValidationResult | undefined;
  let valid = 0;
  let firstValid: ValidationResult | undefined;
  for (const alternative of alternatives) {
    const inner = new ValidationResult();
    yield* checkValue(alternative, value, path, inner, slices);
    if (inner.isValid) {
      valid++;
      firstValid ??= inner;
    } else {
      best = better(best, inner);
    }
  }
  if (valid === 1) {
    result.merge(firstValid as ValidationResult);
    return;
  }
  const found = valid === 0 ? "Found none valid" : `Found ${valid} valid alternatives`;
  addSchemaError(result, path, `must validate one and only one schema (oneOf). ${found}`);
  if (valid === 0) {
    result.merge(best as ValidationResult);
  }
}

function* checkAllOf(
  alternatives: readonly ValueRules[],
  value: JsonValue,
  path: string,
  result: ValidationResult,
  slices: Slices,
): SlicedWork {
  let valid = 0;
  for (const alternative of alternatives) {
    const inner = new ValidationResult();
    yield* checkValue(alternative, value, path, inner, slices);
    valid += inner.isValid ? 1 : 0;
    result.merge(inner);
  }
  if (valid < alternatives.length) {
    addSchemaError(result, path, `must validate all the schemas (allOf)${valid === 0 ? ". None validated" : ""}`);
  }
}

/** Returns the better of two failed alternatives: the first of those that met most checks. */
function better(best: ValidationResult | undefined, next: ValidationResult): ValidationResult {
  return best === undefined || next.matchCount > best.matchCount ? next : best;
}

function addSchemaError(result: ValidationResult, path: string, rule: string): void {
  result.add({ code: "schema", path, value: "", message: `${goQuote(path)} ${rule}` });
}
