import assert from "node:assert/strict";
import { test } from "node:test";
import type { AdmissionAttributes } from "../attributes.js";
import type { Webhook } from "./webhook.js";
import { timeoutFor } from "./webhook-dispatch.js";

const webhook = { timeoutMs: 5000 } as Webhook;
const left = (remainingMs: number) => ({ remainingMs }) as AdmissionAttributes;

test("a webhook has its own time, and the request ends the call when that of the request is over", () => {
  assert.equal(timeoutFor({ sharesDeadline: false }, webhook, left(60_000), 3), 5000);
  assert.equal(timeoutFor({ sharesDeadline: false }, webhook, left(10), 0), 5000);
});

test("where time is shared, a webhook has its part of what is left but for a second", () => {
  const shared = { sharesDeadline: true };
  assert.equal(timeoutFor(shared, webhook, left(61_000), 3), 5000);
  assert.equal(timeoutFor(shared, webhook, left(9000), 3), 2000);
  assert.equal(timeoutFor(shared, webhook, left(500), 0), 1);
});
