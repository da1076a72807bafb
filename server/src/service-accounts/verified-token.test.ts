import assert from "node:assert/strict";
import { generateKeyPairSync, sign } from "node:crypto";
import { test } from "node:test";
import { serviceAccountMetrics } from "@gatehouse/apiserver/authentication";
import { createMetricsRegistry } from "@gatehouse/component-base/metrics";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { boundTokenClaims } from "./bound-tokens.js";
import { legacyTokenClaims } from "./legacy-tokens.js";
import { verificationKeys } from "./token-keys.js";
import { type OwnClaims, verifiedTokens } from "./verified-token.js";

const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const metrics = serviceAccountMetrics(createMetricsRegistry({ processMetrics: false }));
const objects = { find: async () => undefined };

/** Returns the decision about a token with these claims. */
async function decide<Claims>(ownClaims: OwnClaims<Claims>, claims: JsonObject) {
  const content = [{ alg: "RS256" }, { iss: "issuer", ...claims }]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");
  const tokens = verifiedTokens({
    issuers: ["issuer"],
    keys: verificationKeys(publicKey.export({ type: "spki", format: "pem" }).toString()),
    apiAudiences: ["api"],
    ownClaims,
    legacyUses: metrics.legacy,
  });
  const signature = sign("sha256", Buffer.from(content), privateKey).toString("base64url");
  return tokens.authenticateToken(`${content}.${signature}`, []);
}

test("a claim of a wrong type is told before an audience that is not the one asked for", async () => {
  const bound = boundTokenClaims({
    objects,
    metrics,
    now: Date.now,
    features: { tokenId: false, podNode: false, nodeBinding: false },
  });
  assert.deepEqual(await decide(bound, { aud: ["other"], "kubernetes.io": "x" }), {
    outcome: "rejected",
    reasons: ["json: cannot unmarshal string into Go value of type serviceaccount.kubernetes"],
  });
  assert.deepEqual(await decide(bound, { aud: ["other"], "kubernetes.io": {} }), {
    outcome: "rejected",
    reasons: ['token audiences ["other"] is invalid for the target audiences ["api"]'],
  });
});

test("a token of a secret is told the first of its missing claims, once all have the right types", async () => {
  const legacy = legacyTokenClaims({ objects, metrics, lookup: true, noteUse: () => undefined });
  const claim = (name: string, value: string | number) => ({ [`kubernetes.io/serviceaccount/${name}`]: value });
  assert.deepEqual(await decide(legacy, { sub: "x", ...claim("namespace", "n"), ...claim("secret.name", "") }), {
    outcome: "rejected",
    reasons: ["secretName claim is missing"],
  });
  assert.deepEqual(await decide(legacy, { ...claim("secret.name", 5) }), {
    outcome: "rejected",
    reasons: ["json: cannot unmarshal number into Go value of type string"],
  });
});
