import assert from "node:assert/strict";
import { test } from "node:test";
import { compileWebhooks } from "./webhook.js";
import { denial } from "./webhook-answer.js";
import { WebhookBreaker } from "./webhook-breaker.js";
import { WebhookFailedError } from "./webhook-failure.js";

const [webhook = assert.fail()] = compileWebhooks({ metadata: { name: "c" }, webhooks: [{ name: "w" }] }, "mutating");
const failing = () => Promise.reject(new WebhookFailedError("w", "dead", 400));
const refused = { message: 'failed calling webhook "w": it has failed too often, and is not called for a while' };

test("after five failures in a row a webhook is not called, until one call has probed it", async () => {
  let now = 0;
  let calls = 0;
  const breaker = new WebhookBreaker(() => now);
  const call = (outcome: () => Promise<string>) =>
    breaker.guard(webhook, () => {
      calls++;
      return outcome();
    });
  for (let index = 0; index < 5; index++) {
    await assert.rejects(call(failing), { message: 'failed calling webhook "w": dead' });
  }
  await assert.rejects(call(failing), refused);
  assert.equal(calls, 5);
  now = 10_000;
  const probe = call(failing);
  await assert.rejects(call(failing), refused);
  await assert.rejects(probe, { message: 'failed calling webhook "w": dead' });
  await assert.rejects(call(failing), refused);
  assert.equal(calls, 6);
  now = 20_000;
  assert.equal(await call(async () => "answered"), "answered");
  assert.equal(await call(async () => "answered"), "answered");
  assert.equal(calls, 8);
});

test("to say no is to answer, and who has gone away says nothing of the webhook", async () => {
  const breaker = new WebhookBreaker(() => 0);
  const aborted = () => Promise.reject(new WebhookFailedError("w", "gone", 400, { wasAborted: true }));
  for (let index = 0; index < 4; index++) {
    await assert.rejects(breaker.guard(webhook, failing));
  }
  await assert.rejects(breaker.guard(webhook, async () => Promise.reject(denial("w", undefined))));
  for (let index = 0; index < 10; index++) {
    await assert.rejects(breaker.guard(webhook, aborted));
  }
  assert.equal(await breaker.guard(webhook, async () => 1), 1);
});
