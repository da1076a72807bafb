import assert from "node:assert/strict";
import { test } from "node:test";
import { createMetricsRegistry } from "@gatehouse/component-base/metrics";
import { type AuthenticationDecision, noOpinion, rejected } from "../authenticator.js";
import { tokenCache } from "./token-cache.js";
import { tokenCacheMetrics } from "./token-cache-metrics.js";

const jane: AuthenticationDecision = { outcome: "authenticated", user: { username: "jane", groups: [] } };

test("a token is looked into once at a time and once in ten seconds, and what is measured tells so", async () => {
  const registry = createMetricsRegistry({ processMetrics: false });
  const asked: string[] = [];
  let nowMs = 0;
  const answers: Record<string, AuthenticationDecision> = { good: jane, bad: rejected("no"), foreign: noOpinion };
  const cache = tokenCache({
    delegate: {
      async authenticateToken(token) {
        asked.push(token);
        await undefined;
        nowMs += 20;
        return answers[token] as AuthenticationDecision;
      },
    },
    successTtlMs: 10_000,
    failureTtlMs: 0,
    keepsRefusals: true,
    metrics: tokenCacheMetrics(registry),
    now: () => nowMs,
  });
  const ask = async (token: string) => cache.authenticateToken(token, ["api"]);
  const measured = async () =>
    (await registry.render()).split("\n").filter((line) => /^[a-z]/.test(line) && !line.includes("_bucket"));

  const both = [ask("good"), ask("good")];
  assert.deepEqual((await measured()).slice(0, 2), [
    'authentication_token_cache_active_fetch_count{status="blocked"} 2',
    'authentication_token_cache_active_fetch_count{status="in_flight"} 1',
  ]);
  assert.deepEqual(await Promise.all(both), [jane, jane]);
  assert.deepEqual(await ask("good"), jane);
  assert.deepEqual(await ask("bad"), rejected("no"));
  assert.deepEqual(await ask("foreign"), noOpinion);
  nowMs += 10_000;
  assert.deepEqual(await ask("good"), jane);
  assert.deepEqual(asked, ["good", "bad", "foreign", "good"]);
  assert.deepEqual(await measured(), [
    'authentication_token_cache_active_fetch_count{status="blocked"} 0',
    'authentication_token_cache_active_fetch_count{status="in_flight"} 0',
    'authentication_token_cache_fetch_total{status="ok"} 3',
    'authentication_token_cache_fetch_total{status="error"} 1',
    'authentication_token_cache_request_duration_seconds_sum{status="miss"} 0.1',
    'authentication_token_cache_request_duration_seconds_count{status="miss"} 5',
    'authentication_token_cache_request_duration_seconds_sum{status="hit"} 0',
    'authentication_token_cache_request_duration_seconds_count{status="hit"} 1',
    'authentication_token_cache_request_total{status="miss"} 5',
    'authentication_token_cache_request_total{status="hit"} 1',
  ]);
});

test("a connection may show one token after another, and each is the one that it is", async () => {
  const cache = tokenCache({
    delegate: {
      authenticateToken: (token) => ({ outcome: "authenticated", user: { username: token, groups: [] } }),
    },
    successTtlMs: 10_000,
    failureTtlMs: 0,
    keepsRefusals: true,
    metrics: tokenCacheMetrics(createMetricsRegistry({ processMetrics: false })),
  });
  const [audiences, first, second] = [["api"], {}, {}];
  for (const [token, connection] of [
    ["ann", first],
    ["ann", first],
    ["bob", first],
    ["bob", second],
    ["ann", first],
    ["ann", undefined],
    ["bob", second],
  ] as const) {
    const decision = await cache.authenticateToken(token, audiences, connection);
    assert.deepEqual(decision, { outcome: "authenticated", user: { username: token, groups: [] } });
  }
});

test("the same token for other audiences is another question", async () => {
  const asked: (readonly string[])[] = [];
  const cache = tokenCache({
    delegate: {
      authenticateToken(_token, audiences) {
        asked.push(audiences);
        return jane;
      },
    },
    successTtlMs: 10_000,
    failureTtlMs: 0,
    keepsRefusals: true,
    metrics: tokenCacheMetrics(createMetricsRegistry({ processMetrics: false })),
  });
  for (const audiences of [["a"], ["a", "b"], ["ab"], ["a"]]) {
    assert.deepEqual(await cache.authenticateToken("token", audiences), jane);
  }
  assert.deepEqual(asked, [["a"], ["a", "b"], ["ab"]]);
});
