import { ClaimsError } from "@gatehouse/component-base/errors";
import type { ClaimReader, Claims, TokenUser } from "@gatehouse/component-base/identity-tokens";
import type { JsonObject } from "@gatehouse/envelopes/json";
import {
  compileTypedExpression,
  type ReturnType,
  type TypedExpression,
  userInfoType,
} from "@gatehouse/policies/admission-expressions";
import {
  type CelType,
  type CelValue,
  type CompiledExpression,
  mapType,
  storedExpressions,
  stringType,
  type Variables,
} from "@gatehouse/policies/cel";

const costLimit = 1_000_000;

/** A condition of claims or users, and the message that is told when it is false. */
export interface ValidationRule {
  readonly expression: CompiledExpression;
  readonly message: string;
}

/** Compiles an expression over the variable `claims`. */
export function compileClaimsExpression(source: string, returns?: readonly ReturnType[]): TypedExpression {
  return compileWith("claims", mapType(stringType, { kind: "any" }), source, returns);
}

/** Compiles a condition over the variable `user`. */
export function compileUserExpression(source: string): TypedExpression {
  return compileWith("user", userInfoType, source, ["bool"]);
}

/** Returns a reader of a text, which `what` names in errors: `username` or `uid`. */
export function textReader(expression: CompiledExpression, what: string): ClaimReader<string> {
  const subject = `oidc: error evaluating ${what} claim expression`;
  return (claims) => {
    const value = evaluate(expression, { claims: claims as JsonObject }, subject);
    if (typeof value !== "string") {
      throw new ClaimsError(`${subject}: ${what} claim expression must return a string`);
    }
    return value;
  };
}

/** Returns a reader of groups: a text or a list of texts, of which empty ones are left out. */
export function groupsReader(expression: CompiledExpression): ClaimReader<readonly string[]> {
  const subject = "oidc: error evaluating group claim expression";
  return (claims) => textsOf(evaluate(expression, { claims: claims as JsonObject }, subject), subject);
}

/** Returns a reader of the values of an extra attribute: a text or a list of texts, of which empty ones are left out. */
export function extraReader(expression: CompiledExpression): ClaimReader<readonly string[]> {
  const subject = `oidc: error evaluating extra claim expression: ${expression.source}`;
  // v1.29 tells of an expression that fails without saying what it is for.
  return (claims) => textsOf(evaluate(expression, { claims: claims as JsonObject }), subject);
}

/** Returns a function that refuses a token by rules about its claims, and then by rules about its user. */
export function tokenCheck(
  claimRules: readonly ValidationRule[],
  userRules: readonly ValidationRule[],
): ((claims: Claims, user: TokenUser) => void) | undefined {
  if (claimRules.length + userRules.length === 0) {
    return undefined;
  }
  return (claims, user) => {
    check(claimRules, { claims: claims as JsonObject }, "oidc: error evaluating claim validation expression");
    check(userRules, { user: userValue(user) }, "oidc: error evaluating user info validation rule");
  };
}

const functions = storedExpressions.withoutRuleCosts();

function compileWith(
  name: string,
  type: CelType,
  source: string,
  returns: readonly ReturnType[] | undefined,
): TypedExpression {
  return compileTypedExpression(source, functions.withVariables(new Map([[name, type]])), returns);
}

/** Evaluates all rules, of which none may fail, and throws for the first one that is false. */
function check(rules: readonly ValidationRule[], variables: Variables, subject: string): void {
  const values = rules.map(({ expression }) => evaluate(expression, variables, subject));
  for (const [index, { expression, message }] of rules.entries()) {
    if (values[index] !== true) {
      throw new ClaimsError(`${subject}: validation expression '${expression.source}' failed: ${message}`);
    }
  }
}

function evaluate(expression: CompiledExpression, variables: Variables, subject = ""): CelValue {
  const { value, error } = expression.evaluate(variables, costLimit);
  if (value === undefined) {
    const text = `expression '${expression.source}' resulted in error: ${error?.message}`;
    throw new ClaimsError(subject === "" ? text : `${subject}: ${text}`);
  }
  return value;
}

function textsOf(value: CelValue, subject: string): readonly string[] {
  const items: readonly CelValue[] | undefined =
    typeof value === "string" ? [value] : value === null ? [] : Array.isArray(value) ? value : undefined;
  if (items === undefined || !items.every((item) => typeof item === "string")) {
    throw new ClaimsError(`${subject}: expression must return a string or a list of strings`);
  }
  return items.filter((item) => item !== "");
}

/** Returns the value of the variable `user`, which has all members. */
function userValue({ username, uid = "", groups, extra = {} }: TokenUser): JsonObject {
  return { username, uid, groups: groups as string[], extra: extra as Record<string, string[]> };
}
