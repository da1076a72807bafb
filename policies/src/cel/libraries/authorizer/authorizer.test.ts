import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { compileExpression } from "../../compile-expression.js";
import { newExpressions } from "../../environment.js";
import type { Evaluation } from "../../evaluation/compile-program.js";
import { dynType } from "../../types/cel-type.js";
import {
  type AccessDecision,
  type AccessQuestion,
  type AuthorizationSource,
  authorizerType,
  authorizerValue,
  requestResourceValue,
  resourceCheckType,
} from "./index.js";

const declarations = newExpressions.withVariables(
  new Map([
    ["authorizer", authorizerType],
    ["authorizer.requestResource", resourceCheckType],
  ]),
);

/** A source that allows the verb `get`, and tells the question as its reason. */
const plain: AuthorizationSource = { check: decide };

function decide(question: AccessQuestion): AccessDecision {
  const error = question.verb === "fail" ? "no answer" : undefined;
  return { allowed: question.verb === "get", reason: JSON.stringify(question), error };
}

function evaluatorOf(source: AuthorizationSource): (expression: string) => Evaluation {
  const authorizer = authorizerValue(source);
  const parts = { group: "apps", resource: "deployments", subresource: "scale", namespace: "default", name: "web" };
  const variables = { authorizer, "authorizer.requestResource": requestResourceValue(authorizer, parts) };
  return (expression) => compileExpression(expression, declarations).evaluate(variables, 1_000_000);
}

function questionOf(expression: string): unknown {
  const { value, error } = evaluatorOf(plain)(`${expression}.check('get').reason()`);
  assert.equal(error, undefined);
  return JSON.parse(value as string);
}

const nothing = {
  verb: "get",
  isResource: true,
  group: "",
  resource: "pods",
  subresource: "",
  namespace: "",
  name: "",
};

describe("An expression asks the authorizer", () => {
  it("about a resource with all its parts", () => {
    const named = "authorizer.group('apps').resource('pods').subresource('log').namespace('a').name('b')";
    const parts = { group: "apps", subresource: "log", namespace: "a", name: "b" };
    assert.deepEqual(questionOf(named), { ...nothing, ...parts });
  });

  it("several thousand times at most, outside of rules, where its cost does not end it", () => {
    let asked = 0;
    const source: AuthorizationSource = {
      check: (question) => {
        asked++;
        return decide(question);
      },
    };
    const variables = { authorizer: authorizerValue(source), numbers: Array.from({ length: 20_000 }, (_, i) => i) };
    const ask = (numbers: string): Evaluation =>
      compileExpression(
        `${numbers}.all(n, authorizer.path('/' + string(n)).check('get').allowed())`,
        declarations.withoutRuleCosts().withVariables(new Map([["numbers", dynType]])),
      ).evaluate(variables, 1_000_000);
    assert.equal(ask("[1, 2, 3, 4, 5]").value, true);
    assert.equal(ask("numbers").error?.message, "operation interrupted");
    assert.ok(asked > 1_000 && asked < 5_000);
  });

  it("about a path", () => {
    assert.deepEqual(questionOf("authorizer.path('/healthz')"), { verb: "get", isResource: false, path: "/healthz" });
  });

  it("about the access of a service account", () => {
    const expression = "authorizer.serviceAccount('a', 'b').group('').resource('pods')";
    assert.deepEqual(questionOf(expression), { ...nothing, serviceAccount: { namespace: "a", name: "b" } });
  });

  it("about the resource that is requested", () => {
    const parts = { group: "apps", resource: "deployments", subresource: "scale", namespace: "default", name: "web" };
    assert.deepEqual(questionOf("authorizer.requestResource"), { verb: "get", isResource: true, ...parts });
  });

  it("and reads whether that allows it, or failed", () => {
    const evaluate = evaluatorOf(plain);
    const checked = (verb: string): string => `authorizer.path('/a').check('${verb}')`;
    assert.equal(evaluate(`${checked("get")}.allowed()`).value, true);
    assert.equal(evaluate(`${checked("get")}.error()`).value, "");
    assert.equal(evaluate(`${checked("fail")}.allowed() || !${checked("fail")}.errored()`).value, false);
    assert.equal(evaluate(`${checked("fail")}.error()`).value, "no answer");
  });

  it("at a cost of 350,000 for each check", () => {
    const expression = "authorizer.path('/a').check('get').reason() != ''";
    assert.equal(evaluatorOf(plain)("authorizer.path('/a').check('get').reason()").cost, 350_003);
    const error = evaluatorOf(plain)(`${expression} && ${expression} && ${expression}`).error;
    assert.equal(error?.message, "operation cancelled: actual cost limit exceeded");
  });

  for (const [expression, message] of [
    ["authorizer.path(' ') == authorizer.path('a')", "path must not be empty"],
    ["authorizer.group('').resource('').check('get').allowed()", "resource must not be empty"],
    ["authorizer.serviceAccount('a', 'B').path('/').check('get').allowed()", "Invalid service account name"],
    ["authorizer.serviceAccount('A', 'b').path('/').check('get').allowed()", "Invalid service account namespace"],
    ["authorizer == authorizer.serviceAccount('a', 'b')", "no such overload"],
  ] as const) {
    it(`but not by ${expression}`, () => {
      assert.equal(evaluatorOf(plain)(expression).error?.message, message);
    });
  }
});

describe("An authorizer that answers later", () => {
  it("ends the evaluation, which has the answer when it is repeated", async () => {
    const asked: string[] = [];
    const later: AuthorizationSource = {
      check: (question) => {
        asked.push(question.verb);
        return Promise.resolve(decide(question));
      },
    };
    const evaluate = evaluatorOf(later);
    const expression = "authorizer.path('/a').check('get').allowed() && authorizer.path('/a').check('get').errored()";
    await evaluate(expression).pending;
    assert.equal(evaluate(expression).value, false);
    assert.deepEqual(asked, ["get"]);
  });

  it("has failed if its promise is rejected", async () => {
    const evaluate = evaluatorOf({ check: () => Promise.reject(new Error("timed out")) });
    const expression = "authorizer.path('/a').check('get').error()";
    await evaluate(expression).pending;
    assert.equal(evaluate(expression).value, "timed out");
  });
});
