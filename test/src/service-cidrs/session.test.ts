import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import type { ControlPlane } from "@gatehouse/testing";
import { createApiClient } from "../spec/support/api-client.js";
import { startTestServer } from "../support/start-test-server.js";
import { type SessionAnswer, serviceCidrSession, sessionFlags } from "./session.js";

const file = new URL("../../src/service-cidrs/recorded.json", import.meta.url);
const recorded: readonly SessionAnswer[] = JSON.parse(readFileSync(file, "utf8"));

for (const [servers, flags] of [
  ["one process", []],
  ["three workers", ["--workers=3"]],
] as const) {
  describe(`Addresses of Services from ServiceCIDRs, by ${servers}, are as v1.29 has answered`, () => {
    let server: ControlPlane;
    let answers: ReadonlyMap<string, SessionAnswer>;

    before(async () => {
      server = await startTestServer({ flags: [...sessionFlags, ...flags] });
      using client = createApiClient(server.clientConfig);
      answers = new Map((await serviceCidrSession(client)).map((answer) => [answer.name, answer]));
    });

    after(() => server?.stop());

    for (const expected of recorded) {
      it(`about ${expected.name}`, () => {
        assert.deepEqual(answers.get(expected.name), expected);
      });
    }
  });
}
