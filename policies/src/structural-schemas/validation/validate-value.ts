import { goQuote } from "@gatehouse/envelopes/go";
import { isJsonObject, type JsonArray, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";
import { StepMeter, type Steps } from "@gatehouse/envelopes/scheduling";
import type { CompiledSchema } from "./compiled-schema.js";
import { validateFormat, validateNumber, validateString, validateType } from "./validate-scalars.js";
import { ValidationResult } from "./validation-result.js";

/** Nodes that are checked in one step. */
const nodesPerStep = 16;

/** Measures the steps of the work on the nodes of schemas and values. One for all that is checked of an object. */
export class NodeMeter {
  readonly #meter = new StepMeter(nodesPerStep);

  /** Counts a node. Returns true if a step ends with it, as it does with each node whose check may take long. */
  count(mayTakeLong = false): boolean {
    return this.#meter.count(mayTakeLong ? nodesPerStep : 1);
  }
}

/**
 * Validates a value against the schema of its node, as v1.29's schema validator does: in its order, with its messages, and with
 * its way to choose the alternative that is blamed. Object members come in the order of their keys.
 */
export function* validateValue(
  schema: CompiledSchema,
  value: JsonValue,
  path: string,
  result: ValidationResult,
  meter: NodeMeter,
): Steps {
  if (meter.count(schema.hasPattern)) {
    yield;
  }
  if (value === null) {
    validateType(schema, value, path, result);
    validateEnum(schema, value, path, result);
    return;
  }
  if (schema.types.length > 0 || schema.format !== "") {
    validateType(schema, value, path, result);
    result.matchCount++;
  }
  if (schema.hasAlternatives) {
    yield* validateAlternatives(schema, value, path, result, meter);
  }
  // The alternatives count as met even where there are none.
  result.matchCount += 2;
  if (typeof value === "object") {
    if (Array.isArray(value)) {
      yield* validateItems(schema, value, path, result, meter);
    }
    validateEnum(schema, value, path, result);
    if (isJsonObject(value)) {
      yield* validateMembers(schema, value, path, result, meter);
    }
    result.matchCount += 3;
    return;
  }
  validateScalar(schema, value, path, result);
  validateEnum(schema, value, path, result);
  result.matchCount += 2;
}

function validateScalar(
  schema: CompiledSchema,
  value: string | number | bigint | boolean,
  path: string,
  result: ValidationResult,
): void {
  if (typeof value === "string") {
    validateString(schema, value, path, result);
    result.matchCount++;
    if (schema.format !== "") {
      validateFormat(schema, value, path, result);
      result.matchCount++;
    }
  } else if (typeof value !== "boolean") {
    validateNumber(schema, value, path, result);
    result.matchCount++;
  }
}

/** Checks that a value is one of those that are enumerated. */
export function validateEnum(schema: CompiledSchema, value: JsonValue, path: string, result: ValidationResult): void {
  if (schema.enum !== undefined && !schema.enum.includes(value)) {
    const message = `${path} in body should be one of ${schema.enum.text}`;
    result.add({ code: "enum", path, value, allowed: schema.enum, message });
  }
}

function* validateItems(
  schema: CompiledSchema,
  list: JsonArray,
  path: string,
  result: ValidationResult,
  meter: NodeMeter,
): Steps {
  const { items } = schema;
  if (items !== undefined) {
    for (let index = 0; index < list.length; index++) {
      const item = list[index] as JsonValue;
      const itemPath = `${path}[${index}]`;
      if (isPlain(items, item)) {
        validatePlain(items, item, itemPath, result);
        if (meter.count(items.hasPattern)) {
          yield;
        }
      } else {
        yield* validateValue(items, item, itemPath, result, meter);
      }
    }
  }
  validateItemCount(schema, list.length, path, result);
}

/** Checks the number of items of a list. */
export function validateItemCount(schema: CompiledSchema, count: number, path: string, result: ValidationResult): void {
  const { minItems, maxItems } = schema;
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

function* validateMembers(
  schema: CompiledSchema,
  object: JsonObject,
  path: string,
  result: ValidationResult,
  meter: NodeMeter,
): Steps {
  const keys = Object.keys(object).filter((key) => object[key] !== undefined);
  validateMemberCount(schema, keys.length, path, result);
  const { additionalProperties } = schema;
  if (additionalProperties !== undefined) {
    for (const key of keys) {
      if (schema.property(key) === undefined) {
        yield* validateValue(additionalProperties, object[key] as JsonValue, `${path}.${key}`, result, meter);
      }
    }
  }
  for (const key of keys) {
    const member = schema.property(key);
    if (member === undefined) {
      continue;
    }
    const value = object[key] as JsonValue;
    const memberPath = path === "" ? key : `${path}.${key}`;
    if (isPlain(member, value)) {
      validatePlain(member, value, memberPath, result);
      if (meter.count(member.hasPattern)) {
        yield;
      }
    } else {
      yield* validateValue(member, value, memberPath, result, meter);
    }
  }
  for (const name of schema.required) {
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
function isPlain(schema: CompiledSchema, value: JsonValue): boolean {
  return typeof value !== "object" && !schema.hasAlternatives;
}

/** Checks a scalar that has no alternatives, as `validateValue` does. */
export function validatePlain(schema: CompiledSchema, value: JsonValue, path: string, result: ValidationResult): void {
  if (schema.types.length > 0 || schema.format !== "") {
    validateType(schema, value, path, result);
    result.matchCount++;
  }
  validateScalar(schema, value as string | number | bigint | boolean, path, result);
  validateEnum(schema, value, path, result);
  result.matchCount += 4;
}

/** Checks the number of members of an object. */
export function validateMemberCount(
  schema: CompiledSchema,
  count: number,
  path: string,
  result: ValidationResult,
): void {
  const { minProperties, maxProperties } = schema;
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
function* validateAlternatives(
  schema: CompiledSchema,
  value: JsonValue,
  path: string,
  result: ValidationResult,
  meter: NodeMeter,
): Steps {
  yield* validateAnyOf(schema.alternatives("anyOf"), value, path, result, meter);
  yield* validateOneOf(schema.alternatives("oneOf"), value, path, result, meter);
  yield* validateAllOf(schema.alternatives("allOf"), value, path, result, meter);
  const { not } = schema;
  if (not !== undefined) {
    const inner = new ValidationResult();
    yield* validateValue(not, value, path, inner, meter);
    if (inner.isValid) {
      addSchemaError(result, path, "must not validate the schema (not)");
    }
  }
}

function* validateAnyOf(
  alternatives: readonly CompiledSchema[],
  value: JsonValue,
  path: string,
  result: ValidationResult,
  meter: NodeMeter,
): Steps {
  if (alternatives.length === 0) {
    return;
  }
  let best: ValidationResult | undefined;
  for (const alternative of alternatives) {
    const inner = new ValidationResult();
    yield* validateValue(alternative, value, path, inner, meter);
    if (inner.isValid) {
      result.merge(inner);
      return;
    }
    best = better(best, inner);
  }
  addSchemaError(result, path, "must validate at least one schema (anyOf)");
  result.merge(best as ValidationResult);
}

function* validateOneOf(
  alternatives: readonly CompiledSchema[],
  value: JsonValue,
  path: string,
  result: ValidationResult,
  meter: NodeMeter,
): Steps {
  if (alternatives.length === 0) {
    return;
  }
  let best: ValidationResult | undefined;
  let valid = 0;
  let firstValid: ValidationResult | undefined;
  for (const alternative of alternatives) {
    const inner = new ValidationResult();
    yield* validateValue(alternative, value, path, inner, meter);
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

function* validateAllOf(
  alternatives: readonly CompiledSchema[],
  value: JsonValue,
  path: string,
  result: ValidationResult,
  meter: NodeMeter,
): Steps {
  let valid = 0;
  for (const alternative of alternatives) {
    const inner = new ValidationResult();
    yield* validateValue(alternative, value, path, inner, meter);
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
