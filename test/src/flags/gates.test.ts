import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import type { ControlPlane } from "@gatehouse/testing";
import { createApiClient } from "../spec/support/api-client.js";
import { startTestServer } from "../support/start-test-server.js";
import { askAboutGates, type GateAnswer, gateSettings } from "./gate-cases.js";

for (const [setting, flags] of Object.entries(gateSettings)) {
  const file = new URL(`../../src/flags/recorded-${setting}.json`, import.meta.url);
  const recorded: readonly GateAnswer[] = JSON.parse(readFileSync(file, "utf8"));

  describe(`A server ${setting.replace("-", " ")} features answers as v1.29`, () => {
    let server: ControlPlane;
    let answers: ReadonlyMap<string, GateAnswer>;

    before(async () => {
      server = await startTestServer({ flags });
      using client = createApiClient(server.clientConfig);
      answers = new Map((await askAboutGates(client)).map((answer) => [answer.name, answer]));
    });

    after(() => server?.stop());

    for (const expected of recorded) {
      it(`about ${expected.name}`, () => {
        assert.deepEqual(answers.get(expected.name), expected);
      });
    }
  });
}
