import { DecodeError, goQuote } from "@gatehouse/envelopes";
import type { RequestContext } from "../../request/request-context.js";
import type { FieldValidation } from "../write-options.js";

/** As many as v1.29 tells of. */
const maxProblems = 100;

/** What strict decoding has to say of members that the kind does not know. */
export function unknownFieldProblems(paths: readonly string[]): string[] {
  return paths.slice(0, maxProblems).map((path) => `unknown field ${goQuote(path)}`);
}

/** What strict decoding has to say of members that are given more than once. */
export function duplicateFieldProblems(paths: readonly string[]): string[] {
  return paths.slice(0, maxProblems).map((path) => `duplicate field ${goQuote(path)}`);
}

/** The same of keys of YAML, each as told by its reader: one problem under `Strict`, several otherwise. */
export function duplicateKeyProblems(keys: readonly string[], fieldValidation: FieldValidation): readonly string[] {
  if (keys.length === 0 || fieldValidation !== "Strict") {
    return keys;
  }
  return [`yaml: unmarshal errors:\n  ${keys.join("\n  ")}`];
}

/** Refuses, warns or says nothing, as the client asked. Throws DecodeError under `Strict`. */
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
