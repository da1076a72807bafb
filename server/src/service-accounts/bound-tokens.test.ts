import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type AuthenticationDecision, serviceAccountMetrics } from "@gatehouse/apiserver/authentication";
import { createMetricsRegistry } from "@gatehouse/component-base/metrics";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { boundTokenClaims } from "./bound-tokens.js";
import { registeredClaims } from "./token-claims.js";

const nowSeconds = 1_800_000_000;
const user = {
  username: "system:serviceaccount:n:robot",
  uid: "u",
  groups: ["system:serviceaccounts", "system:serviceaccounts:n"],
};

/**
 * Returns the decision about a token with these claims, `afterMs` past the present, and the counters that it raised.
 */
async function decide(own: JsonObject, afterMs = 0, deletionTimestamp?: string) {
  const registry = createMetricsRegistry({ processMetrics: false });
  const account = { metadata: { name: "robot", uid: "u", ...(deletionTimestamp && { deletionTimestamp }) } };
  const claims = boundTokenClaims({
    objects: { find: async () => account },
    now: () => nowSeconds * 1000 + afterMs,
    metrics: serviceAccountMetrics(registry),
    features: { tokenId: false, podNode: false, nodeBinding: false },
  });
  const payload = {
    iss: "https://issuer",
    sub: user.username,
    exp: nowSeconds + 3600,
    "kubernetes.io": { namespace: "n", serviceaccount: { name: "robot", uid: "u" }, ...own },
  };
  const decision: AuthenticationDecision = await claims.validate(
    registeredClaims(payload),
    claims.read(payload),
    "token",
  );
  const counted = (await registry.render()).split("\n").filter((line) => /(stale|valid)_tokens_total 1$/.test(line));
  return { decision, counted };
}

describe("A token of a TokenRequest", () => {
  test("counts as valid until its holder should have replaced it, and is noted from then on", async () => {
    assert.deepEqual(await decide({ warnafter: nowSeconds }), {
      decision: { outcome: "authenticated", user },
      counted: ["serviceaccount_valid_tokens_total 1"],
    });
    const stale = (seconds: number) => ({
      decision: {
        outcome: "authenticated",
        user,
        annotations: {
          "authentication.k8s.io/stale-token": `subject: ${user.username}, seconds after warning threshold: ${seconds}`,
        },
      },
      counted: ["serviceaccount_stale_tokens_total 1"],
    });
    assert.deepEqual(await decide({ warnafter: nowSeconds }, 1), stale(0));
    assert.deepEqual(await decide({ warnafter: nowSeconds - 3600 }, 999), stale(3600));
  });

  test("is neither where nothing says when it should be replaced", async () => {
    assert.deepEqual(await decide({}), { decision: { outcome: "authenticated", user }, counted: [] });
  });

  test("outlives the deletion of its account for a minute", async () => {
    const deletedAt = new Date(nowSeconds * 1000).toISOString();
    assert.equal((await decide({}, 60_000, deletedAt)).decision.outcome, "authenticated");
    assert.deepEqual((await decide({}, 61_000, deletedAt)).decision, {
      outcome: "rejected",
      reasons: ["service account n/robot has been deleted"],
    });
  });
});
