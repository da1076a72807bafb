import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { soakParts } from "./soak-parts.js";

test("each part of the soak gets its count, and is a test file that is there", () => {
  const parts = soakParts(
    {
      "fuzz-requests": 7,
      "fuzz-definitions": 5,
      "fuzz-seed": undefined,
      kills: 3,
      "sink-kills": 2,
      "outage-minutes": 6,
      "audit-verdicts": 8,
      objects: 9,
      "webhook-calls": 5,
      "real-definitions": true,
    },
    42,
  );
  assert.deepEqual(
    parts.map(({ name, env }) => [name, env]),
    [
      ["fuzz: 7 requests, seed 42", { FUZZ_REQUESTS: "7", FUZZ_SEED: "42" }],
      ["fuzz: 5 definitions, seed 42", { FUZZ_DEFINITIONS: "5", FUZZ_SEED: "42" }],
      ["crash: 3 kills", { CRASH_KILLS: "3" }],
      ["audit sink: 2 kills", { SINK_KILLS: "2" }],
      ["audit sink: away for 6 minutes", { OUTAGE_SECONDS: "360" }],
      ["audit: 8 verdicts, seed 42", { AUDIT_POLICY_CASES: "8", AUDIT_POLICY_SEED: "42" }],
      ["crash: 9 objects", { CRASH_OBJECTS: "9" }],
      ["webhooks: 5 calls", { WEBHOOK_CALLS: "5" }],
      ["definitions of well-known projects", { REAL_DEFINITIONS: "1" }],
    ],
  );
  assert.ok(parts.every(({ file }) => existsSync(file)));
});

test("a count of 0 leaves a part of the soak out, and a given seed is kept", () => {
  const parts = soakParts(
    {
      "fuzz-requests": 1,
      "fuzz-definitions": 0,
      "fuzz-seed": 129,
      kills: 0,
      "sink-kills": 0,
      "outage-minutes": 0,
      "audit-verdicts": 0,
      objects: 0,
      "webhook-calls": 0,
      "real-definitions": false,
    },
    42,
  );
  assert.deepEqual(
    parts.map(({ name }) => name),
    ["fuzz: 1 requests, seed 129"],
  );
});
