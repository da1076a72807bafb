import type { JsonValue } from "../json.js";
import type { ScalarSchema } from "../schema/schema.js";
import { type FieldError, fieldError } from "../status/field-error.js";
import type { MemberRule } from "./member-rule.js";

/** Checks one value. The path is made only when there is something to say. */
export type ScalarCheck = (value: JsonValue, path: () => string) => FieldError | undefined;

/**
 * The check of a scalar's closed set and limits; undefined when it has none. Patterns are not checked: those of custom
 * kinds come from users and need an engine that runs in linear time, and built-in kinds have them in status only.
 */
export function scalarCheck(schema: ScalarSchema, rule: MemberRule): ScalarCheck | undefined {
  const supported = rule.supported ?? schema.enum;
  if (supported !== undefined) {
    return closedSetCheck(supported, rule.declaredOrder === true);
  }
  const checks = [lengthCheck(schema), rangeCheck(schema)].filter((check) => check !== undefined);
  if (checks.length === 0) {
    return undefined;
  }
  return (value, path) => {
    for (const check of checks) {
      const problem = check(value, path);
      if (problem !== undefined) {
        return problem;
      }
    }
    return undefined;
  };
}

function closedSetCheck(supported: readonly string[], declaredOrder: boolean): ScalarCheck {
  const values = new Set<JsonValue>(supported);
  const listed = declaredOrder ? supported : supported.toSorted();
  return (value, path) => (values.has(value) ? undefined : fieldError.notSupported(path(), value, listed));
}

function lengthCheck({ minLength, maxLength }: ScalarSchema): ScalarCheck | undefined {
  if (minLength === undefined && maxLength === undefined) {
    return undefined;
  }
  return (value, path) => {
    if (typeof value !== "string") {
      return undefined;
    }
    // Characters, not UTF-16 units; only values near a limit need to be counted.
    const length = minLength === undefined && value.length <= (maxLength ?? 0) ? 0 : [...value].length;
    if (maxLength !== undefined && length > maxLength) {
      return fieldError.tooLong(path(), maxLength);
    }
    if (minLength !== undefined && length < minLength) {
      return outOfLimits(path(), value, `at least ${minLength} chars long`);
    }
    return undefined;
  };
}

function rangeCheck({ minimum, maximum }: ScalarSchema): ScalarCheck | undefined {
  if (minimum === undefined && maximum === undefined) {
    return undefined;
  }
  return (value, path) => {
    if (typeof value !== "number" && typeof value !== "bigint") {
      return undefined;
    }
    if (minimum !== undefined && value < minimum) {
      return outOfLimits(path(), value, `greater than or equal to ${minimum}`);
    }
    if (maximum !== undefined && value > maximum) {
      return outOfLimits(path(), value, `less than or equal to ${maximum}`);
    }
    return undefined;
  };
}

function outOfLimits(path: string, value: JsonValue, limit: string): FieldError {
  return fieldError.invalid(path, value, `${path} in body should be ${limit}`);
}
