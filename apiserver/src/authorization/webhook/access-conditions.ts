import { goAggregate } from "@gatehouse/envelopes/go";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { compileTypedExpression, extraType } from "@gatehouse/policies/admission-expressions";
import {
  type CompiledExpression,
  isWrapperType,
  listType,
  objectType,
  qualifiedTypeText,
  storedExpressions,
  stringType,
} from "@gatehouse/policies/cel";
import type { AuthorizationAttributes } from "../authorizer.js";

/** The largest number of match conditions of a webhook. */
export const maxAccessConditions = 64;

const costLimit = 1_000_000;

const requestType = objectType("kubernetes.SubjectAccessReviewSpec", {
  resourceAttributes: objectType("kubernetes.ResourceAttributes", {
    namespace: stringType,
    verb: stringType,
    group: stringType,
    version: stringType,
    resource: stringType,
    subresource: stringType,
    name: stringType,
  }),
  nonResourceAttributes: objectType("kubernetes.NonResourceAttributes", { path: stringType, verb: stringType }),
  user: stringType,
  groups: listType(stringType),
  extra: extraType,
  uid: stringType,
});

/** The outcome of the match conditions of a request. */
export type AccessMatch =
  | { readonly matches: boolean; readonly error?: undefined }
  | { readonly matches?: undefined; readonly error: Error };

const declarations = storedExpressions.withoutRuleCosts().withVariables(new Map([["request", requestType]]));

/** Compiles a match condition; returns its problem in v1.29's text if it has one. */
export function compileAccessCondition(source: string): CompiledExpression | string {
  const { expression, problem } = compileTypedExpression(source, declarations);
  if (expression === undefined) {
    return problem;
  }
  return expression.type.kind === "bool" && !isWrapperType(expression.type)
    ? expression
    : `must evaluate to bool but got ${qualifiedTypeText(expression.type)}`;
}

/**
 * Evaluates match conditions of a request: one that is false decides, whatever errors the others have; errors decide
 * otherwise.
 */
export function matchAccessConditions(
  conditions: readonly CompiledExpression[],
  attributes: AuthorizationAttributes,
): AccessMatch {
  const variables = { request: requestOf(attributes) };
  const errors: string[] = [];
  for (const condition of conditions) {
    const { value, error } = condition.evaluate(variables, costLimit);
    if (error !== undefined) {
      errors.push(`cel evaluation error: expression '${condition.source}' resulted in error: ${error.message}`);
    } else if (value === false) {
      return { matches: false };
    }
  }
  return errors.length === 0 ? { matches: true } : { error: new Error(goAggregate(errors)) };
}

/** Returns a SubjectAccessReviewSpec with all members of users and attributes, those that are empty, too. */
function requestOf({ user, info }: AuthorizationAttributes): JsonObject {
  const { username, groups, extra = {}, uid = "" } = user;
  const { namespace, verb, group, version, resource, subresource, name, path } = info;
  return {
    user: username,
    groups: groups as string[],
    uid,
    extra: extra as Record<string, string[]>,
    ...(info.isResourceRequest
      ? { resourceAttributes: { namespace, verb, group, version, resource, subresource, name } }
      : { nonResourceAttributes: { path, verb } }),
  };
}
