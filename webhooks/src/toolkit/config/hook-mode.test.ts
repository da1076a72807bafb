import assert from "node:assert/strict";
import { test } from "node:test";
import { allow, deny, patch } from "../decision/decision.js";
import type { AdmissionRequest } from "../handlers/admission-request.js";
import type { Handler } from "../handlers/handler.js";
import { mutatingHook, validatingHook } from "../hooks/hook.js";
import { emptyLookup } from "../lookup/lookup.js";
import { type HookStrictness, withStrictness } from "./hook-mode.js";

const rules = [{ operations: ["*" as const], apiGroups: ["*"], apiVersions: ["*"], resources: ["*"] }];
const context = { signal: new AbortController().signal, lookup: emptyLookup };
const request = {
  operation: "CREATE",
  namespace: "shop",
  name: "web",
  userInfo: { username: "jane" },
} as unknown as AdmissionRequest;
const now = (): number => Date.parse("2026-06-01T00:00:00Z");

async function decide(handler: Handler, strictness: HookStrictness) {
  const hook = withStrictness(validatingHook({ name: "a.b.c", rules, handler }), { now, ...strictness });
  const { allowed, warnings, auditAnnotations } = await hook.handler(request, context);
  return { allowed, warnings, auditAnnotations };
}

const no: Handler = () => deny("no").withWarnings("w");

test("a hook that warns, or notes, lets through what it would deny", async () => {
  assert.deepEqual(await decide(no, { mode: "Warn" }), {
    allowed: true,
    warnings: ["w", "a.b.c would deny this: no"],
    auditAnnotations: {},
  });
  assert.deepEqual(await decide(no, { mode: "Audit" }), {
    allowed: true,
    warnings: ["w"],
    auditAnnotations: { audit: "would deny this: no" },
  });
});

test("a mutating hook that only warns changes nothing", async () => {
  const handler: Handler = () => patch([{ op: "remove", path: "/a" }]);
  const hook = withStrictness(mutatingHook({ name: "a.b.c", rules, handler }), { mode: "Warn" });
  const decision = await hook.handler(request, context);
  assert.deepEqual([decision.allowed && decision.patch, decision.warnings], [[], ["a.b.c would change this object"]]);
});

test("who is not to refuse must not refuse by falling over", () => {
  const hook = validatingHook({ name: "a.b.c", rules, handler: no });
  assert.deepEqual(
    (["Enforce", "Warn", "Audit"] as const).map((mode) => withStrictness(hook, { mode }).failurePolicy),
    ["Fail", "Ignore", "Ignore"],
  );
});

const expires = "2026-07-01T00:00:00Z";
const exceptions: readonly [name: string, exception: object, matches: boolean][] = [
  ["its namespace", { namespaces: ["shop"] }, true],
  ["its name and user", { names: ["web", "api"], users: ["jane"] }, true],
  ["its namespace but another user", { namespaces: ["shop"], users: ["joe"] }, false],
  ["another name", { names: ["api"] }, false],
];

for (const [name, exception, matches] of exceptions) {
  test(`an exception for ${name} ${matches ? "lets the request through" : "does not count"}`, async () => {
    const outcome = await decide(no, { exceptions: [{ reason: "moving", expires, ...exception }] });
    assert.deepEqual(
      [outcome.allowed, outcome.auditAnnotations],
      matches ? [true, { exception: "moving" }] : [false, {}],
    );
  });
}

test("an exception that has expired does not count, and that is told", async () => {
  const expired = { reason: "moving", expires: "2026-05-01T00:00:00Z", namespaces: ["shop"] };
  const outcome = await decide(no, { exceptions: [expired] });
  assert.deepEqual(
    [outcome.allowed, outcome.warnings],
    [false, ["w", "a.b.c: an exception for this has expired at 2026-05-01T00:00:00.000Z"]],
  );
});

test("what is allowed anyway is not touched by exceptions", async () => {
  const handler: Handler = () => allow();
  const outcome = await decide(handler, { exceptions: [{ reason: "x", expires, namespaces: ["shop"] }] });
  assert.deepEqual(outcome, { allowed: true, warnings: [], auditAnnotations: {} });
});
