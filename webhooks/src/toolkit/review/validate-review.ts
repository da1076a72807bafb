import type { DocumentValidator } from "@gatehouse/component-base/config-documents";
import { isJsonObject, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";
import { badRequest } from "@gatehouse/envelopes/status";

/**
 * Largest number of values that are validated; reviews have fewer, and finding as many problems takes a fifth of a
 * second.
 */
const maxValues = 12_000;
/** Largest number of problems in a message; more would make it too long to read. */
const maxProblems = 20;

/**
 * Throws StatusError (400), which lists with paths everything that is wrong with a review. `counted` are the parts that
 * the validator checks; the number of values in the other parts is not limited here.
 */
export function validateReview(
  kind: string,
  validate: DocumentValidator,
  review: JsonObject,
  counted: Readonly<Record<string, JsonValue>>,
): void {
  for (const [path, part] of Object.entries(counted)) {
    if (hasMoreValuesThan(maxValues, part)) {
      throw badRequest(`${kind}: ${path}: has more than ${maxValues} values`);
    }
  }
  const problems = validate(review);
  if (problems.length > 0) {
    const told = problems.slice(0, maxProblems).map(({ message }) => message);
    const left = problems.length - told.length;
    throw badRequest(`${kind}: ${[...told, ...(left === 0 ? [] : [`and ${left} more`])].join("; ")}`);
  }
}

/** Reports whether a value holds more than `limit` values; stops at the limit. */
function hasMoreValuesThan(limit: number, value: JsonValue): boolean {
  const found: JsonValue[] = [value];
  for (let index = 0; index < found.length && found.length <= limit; index++) {
    const next = found[index];
    const inside = Array.isArray(next) ? next : isJsonObject(next) ? Object.values(next) : [];
    for (let at = 0; at < inside.length && found.length <= limit; at++) {
      found.push(inside[at] as JsonValue);
    }
  }
  return found.length > limit;
}
