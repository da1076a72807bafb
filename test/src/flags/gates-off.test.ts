import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import type { ControlPlane } from "@gatehouse/testing";
import { createApiClient } from "../spec/support/api-client.js";
import { startTestServer } from "../support/start-test-server.js";
import { askAboutGates, type GateAnswer, gatesUnderTest } from "./gate-cases.js";

const recorded: readonly GateAnswer[] = JSON.parse(
  readFileSync(new URL("../../src/flags/recorded-gates.json", import.meta.url), "utf8"),
);

describe("A server without beta features answers as v1.29", () => {
  let server: ControlPlane;
  let answers: ReadonlyMap<string, GateAnswer>;

  before(async () => {
    server = await startTestServer({
      flags: [`--feature-gates=${gatesUnderTest}`, "--disable-admission-plugins=ServiceAccount"],
    });
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
