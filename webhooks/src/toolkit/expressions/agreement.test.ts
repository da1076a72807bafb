import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@gatehouse/envelopes/json";
import {
  type CelType,
  type CompiledExpression,
  compileExpression,
  dynType,
  newExpressions,
} from "@gatehouse/policies/cel";
import fc from "fast-check";
import type { AdmissionRequest } from "../handlers/admission-request.js";
import { emptyLookup } from "../lookup/lookup.js";
import { objects, policyOptions } from "./generated-policies.test.support.js";
import { ExpressionError, type PolicyHook, policyHook } from "./index.js";
import { requestType } from "./request-facts.js";

/** `npm run soak` takes a million. */
const count = Number(process.env["POLICY_OBJECTS"] ?? 5000);
const seed = Number(process.env["FUZZ_SEED"] ?? 129);
const objectsOfEach = 50;
const costLimit = 10_000_000;

/** The verdict on a request: allowed, failed, or the message of the denial. */
type Verdict = { readonly outcome: "allowed" | "failed" } | { readonly outcome: "denied"; readonly message: string };

/** Compiles the printed policy; the result evaluates it by the engine, as the plugin ValidatingAdmissionPolicy does. */
function policyVerdict({ policy, failurePolicy }: PolicyHook): (roots: Record<string, unknown>) => Verdict {
  const types = new Map<string, CelType>([
    ["object", dynType],
    ["oldObject", dynType],
    ["request", requestType],
  ]);
  const compiled = (source: string): CompiledExpression =>
    compileExpression(source, newExpressions.withVariables(types));
  const variables = policy.variables.map(({ name, expression }) => {
    const program = compiled(expression);
    types.set(`variables.${name}`, program.type);
    return { name: `variables.${name}`, program };
  });
  const validations = policy.validations.map(({ expression, message, messageExpression }) => ({
    check: compiled(expression),
    message: messageExpression === undefined ? undefined : compiled(messageExpression),
    text: message?.trim() || `failed expression: ${expression}`,
  }));
  return (roots) => {
    // A variable that fails is left out, and whoever reads it fails, as in the server.
    const values = roots as Record<string, never>;
    for (const { name, program } of variables) {
      values[name] = program.evaluate(values, costLimit).value as never;
    }
    let hasFailed = false;
    for (const { check, message, text } of validations) {
      const outcome = check.evaluate(values, costLimit);
      if (outcome.value === false) {
        const made = message?.evaluate(values, costLimit).value;
        const line = typeof made === "string" ? made.trim() : "";
        return { outcome: "denied", message: line === "" || line.includes("\n") ? text : line };
      }
      if (outcome.value !== true) {
        if (failurePolicy === "Fail") {
          return { outcome: "failed" };
        }
        hasFailed = true;
      }
    }
    return { outcome: hasFailed ? "failed" : "allowed" };
  };
}

async function hookVerdict({ handler }: PolicyHook, request: AdmissionRequest): Promise<Verdict> {
  try {
    const decision = await handler(request, { lookup: emptyLookup, signal: new AbortController().signal } as never);
    return decision.allowed ? { outcome: "allowed" } : { outcome: "denied", message: decision.status.message ?? "" };
  } catch (error) {
    assert.ok(error instanceof ExpressionError, String(error));
    return { outcome: "failed" };
  }
}

const kind = { group: "apps", version: "v1", kind: "Deployment" };
const resource = { group: "apps", version: "v1", resource: "deployments" };
const requestFacts = { operation: "UPDATE", kind, resource, name: "a", userInfo: { username: "b" }, dryRun: false };

function requestFor(object: JsonObject, oldObject: JsonObject | undefined): AdmissionRequest {
  return { ...requestFacts, uid: "", subResource: "", namespace: "", object, oldObject } as unknown as AdmissionRequest;
}

test(`hooks made of expressions and their printed policies agree on ${count} generated objects`, async (context) => {
  const counts = { allowed: 0, denied: 0, failed: 0 };
  const messages = new Set<string>();
  let compared = 0;
  let refused = 0;
  for (let round = 0; compared < count; round++) {
    const [options] = fc.sample(policyOptions, { numRuns: 1, seed: seed + round });
    assert.ok(options);
    let hook: PolicyHook;
    try {
      hook = policyHook(options);
    } catch (error) {
      // The types of CEL are stricter than those of generated trees.
      assert.ok(
        error instanceof TypeError && /hook "generated.example.com": (validations|variable)/.test(error.message),
        String(error),
      );
      refused++;
      continue;
    }
    const policy = policyVerdict(hook);
    const samples = fc.sample(fc.tuple(objects, fc.option(objects)), { numRuns: objectsOfEach, seed: seed + round });
    for (const [object, old] of samples) {
      const verdict = await hookVerdict(hook, requestFor(object, old ?? undefined));
      const expected = policy({ object, oldObject: old, request: requestFacts });
      assert.deepEqual(
        verdict,
        expected,
        JSON.stringify([hook.policy, object, old], (_key, value) => (typeof value === "bigint" ? `${value}n` : value)),
      );
      counts[verdict.outcome]++;
      if (verdict.outcome === "denied") {
        messages.add(verdict.message);
      }
      compared++;
    }
  }
  context.diagnostic(
    `seed ${seed}; ${JSON.stringify(counts)}; ${messages.size} messages; ${refused} trees refused by CEL's types`,
  );
  assert.ok(Math.min(...Object.values(counts)) > count / 50, JSON.stringify(counts));
});
