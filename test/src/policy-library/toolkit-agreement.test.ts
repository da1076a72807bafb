import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { JsonObject } from "@gatehouse/envelopes/json";
import type { PolicyCase } from "@gatehouse/policies/policy-cases";
import { admit, type GivenRequest } from "@gatehouse/webhooks/testing";
import { type LibraryPolicy, readLibrary } from "./library-files.js";

// The cases of the library hold on servers (policy-library.test.ts). The toolkit must give the same verdicts without one.

/** Returns the verdict of the toolkit on a case, with the members that the case states. */
async function verdictOf({ policy, binding, params }: LibraryPolicy, { given, expect }: PolicyCase): Promise<object> {
  const {
    namespaceObject,
    params: own = params === undefined ? [] : [params],
    access: _,
    userInfo,
    ...request
  } = given;
  const { name = "", namespace = "" } = ((binding["spec"] as JsonObject)["paramRef"] ?? {}) as Record<string, string>;
  const head = { apiVersion: "v1", kind: "ConfigMap" };
  const existing = own.map((object): JsonObject => ({ ...head, ...object, metadata: { name, namespace } }));
  if (namespaceObject !== undefined) {
    existing.push(namespaceObject);
  }
  const asked = { ...request, ...(userInfo ? { userInfo } : {}), existing } as GivenRequest;
  const outcome = await admit([], asked, { policies: [policy, binding] });
  const [, message = outcome.message] = /denied request: (.*)$/s.exec(outcome.message ?? "") ?? [];
  return {
    allowed: outcome.outcome === "allowed",
    skipped: outcome.policies.length === 0,
    ...(expect.first?.message === undefined ? {} : { message }),
    ...(expect.auditAnnotations === undefined ? {} : { auditAnnotations: outcome.auditAnnotations }),
    warnings: outcome.warnings,
  };
}

function expected({ expect }: PolicyCase): object {
  const { allowed, skipped, first, auditAnnotations, warnings = [] } = expect;
  return {
    allowed,
    skipped,
    ...(first?.message === undefined ? {} : { message: first.message }),
    ...(auditAnnotations === undefined ? {} : { auditAnnotations }),
    warnings,
  };
}

describe("the toolkit decides cases of the policy library as servers do", async () => {
  for (const entry of await readLibrary()) {
    test(entry.file, async () => {
      for (const item of entry.cases) {
        assert.deepEqual(await verdictOf(entry, item), expected(item), `${item.file}: ${item.path}: ${item.name}`);
      }
    });
  }
});
