import type { JsonObject } from "@gatehouse/envelopes/json";
import { apiVersionOf, type GroupVersionKind, type KindSchema, kindSchema } from "@gatehouse/envelopes/schema";
import { ConfigurationError } from "../errors.js";
import { type Problem, problemAt } from "../problems/problem.js";
import type { ConfigDocument } from "./config-document.js";
import { documentValidator } from "./document-validator.js";

/**
 * Checks a document against the kinds that it may be of, strictly: unknown members, wrong types and missing members are
 * problems, each with its path. Returns the content, whose apiVersion and kind say which of the kinds it is.
 */
export async function checkConfigDocument<T extends object>(
  { subject, content }: ConfigDocument,
  kinds: readonly GroupVersionKind[],
): Promise<T> {
  const kind = kindOf(content, kinds);
  if (kind === undefined) {
    throw new ConfigurationError(subject, [kindProblem(content, kinds)]);
  }
  const problems = (await documentValidator(kind))(content);
  if (problems.length > 0) {
    throw new ConfigurationError(subject, problems);
  }
  return content as T;
}

function kindOf(content: JsonObject, kinds: readonly GroupVersionKind[]): KindSchema | undefined {
  const named = kinds.find((kind) => apiVersionOf(kind) === content["apiVersion"] && kind.kind === content["kind"]);
  return named === undefined ? undefined : kindSchema(named.group, named.version, named.kind);
}

function kindProblem(content: JsonObject, kinds: readonly GroupVersionKind[]): Problem {
  const wanted = kinds.map((kind) => `${kind.kind} of ${apiVersionOf(kind)}`).join(" or ");
  const { apiVersion, kind } = content;
  return apiVersion === undefined || kind === undefined
    ? problemAt(apiVersion === undefined ? "apiVersion" : "kind", `is required: the document must be ${wanted}`)
    : problemAt("kind", `${JSON.stringify(kind)} of ${JSON.stringify(apiVersion)} is not ${wanted}`);
}
