import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { createApiClient } from "../spec/support/api-client.js";
import { startTestServer } from "../support/start-test-server.js";
import { metricsFormsSession } from "./session.js";

const file = new URL("../../src/metrics-forms/recorded.json", import.meta.url);
const recorded: unknown = JSON.parse(readFileSync(file, "utf8"));

describe("Metrics are sent in the forms in which v1.29 has sent them", () => {
  for (const [servers, flags] of [
    ["one process", []],
    ["two workers", ["--workers=2"]],
  ] as const) {
    it(`by ${servers}`, async () => {
      await using server = await startTestServer({ flags });
      using client = createApiClient(server.clientConfig);
      const answers = await metricsFormsSession(client);
      // A header that is absent is no member of the recording.
      assert.deepEqual(JSON.parse(JSON.stringify(answers)), recorded);
    });
  }
});
