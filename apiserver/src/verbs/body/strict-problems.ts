import { DecodeError, memberPaths } from "@gatehouse/envelopes/codec";
import { goQuote } from "@gatehouse/envelopes/go";
import type { RequestContext } from "../../request/request-context.js";
import type { FieldValidation } from "../write-options.js";

/** Largest number of problems that v1.29 reports. */
const maxProblems = 100;

/** Returns the messages of strict decoding about members that the kind does not have. */
export function unknownFieldProblems(paths: readonly string[]): string[] {
  return paths.slice(0, maxProblems).map((path) => `unknown field ${goQuote(path)}`);
}

/** Returns the messages of strict decoding about members that are given more than once. */
export function duplicateFieldProblems(paths: readonly string[]): string[] {
  return paths.slice(0, maxProblems).map((path) => `duplicate field ${goQuote(path)}`);
}

/**
 * Returns the messages of strict decoding about unknown and duplicate members of JSON, in the order of the text, where
 * a duplicate counts at its second place.
 */
export function jsonProblems(
  text: string,
  unknownFields: readonly string[],
  duplicateFields: readonly string[],
): readonly string[] {
  const problems = [...unknownFieldProblems(unknownFields), ...duplicateFieldProblems(duplicateFields)];
  // A longer text is not worth another pass for the order of two sorts of mistakes.
  if (unknownFields.length === 0 || duplicateFields.length === 0 || text.length > maxOrderedLength) {
    return problems;
  }
  const [unknown, duplicate] = [new Set(unknownFields), new Set(duplicateFields)];
  const given = new Set<string>();
  const ordered = new Set<string>();
  for (const path of memberPaths(text)) {
    if (unknown.has(path)) {
      ordered.add(`unknown field ${goQuote(path)}`);
    } else if (duplicate.has(path) && given.has(path)) {
      ordered.add(`duplicate field ${goQuote(path)}`);
    }
    given.add(path);
  }
  return [...new Set([...ordered, ...problems])];
}

/**
 * Longest text in characters whose problems are put in order: all paths of a text with long keys are as long as its
 * square.
 */
const maxOrderedLength = 32 * 1024;

/**
 * Returns the messages of strict decoding about duplicate YAML keys, from those of the reader: one problem under
 * `Strict`, several otherwise.
 */
export function duplicateKeyProblems(keys: readonly string[], fieldValidation: FieldValidation): readonly string[] {
  if (keys.length === 0 || fieldValidation !== "Strict") {
    return keys;
  }
  return [`yaml: unmarshal errors:\n  ${keys.join("\n  ")}`];
}

/** Refuses the problems, warns of them or ignores them, as the client asked. Throws DecodeError under `Strict`. */
export function reportStrictProblems(
  context: Pick<RequestContext, "warn">,
  problems: readonly string[],
  fieldValidation: FieldValidation,
): void {
  if (fieldValidation === "Ignore") {
    return;
  }
  const told = problems.slice(0, maxProblems);
  if (fieldValidation === "Strict" && told.length > 0) {
    throw new DecodeError(`strict decoding error: ${told.join(", ")}`);
  }
  for (const problem of told) {
    context.warn(problem);
  }
}
