import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import type { ControlPlane } from "@gatehouse/testing";
import { createApiClient } from "../spec/support/api-client.js";
import { startTestServer } from "../support/start-test-server.js";
import { disruptionEventSession, type SessionEvent, sessionFlags } from "./session.js";

const file = new URL("../../src/disruption-events/recorded.json", import.meta.url);
const recorded: readonly SessionEvent[] = JSON.parse(readFileSync(file, "utf8"));

describe("Events about PodDisruptionBudgets and their pods are as v1.29 has written them", () => {
  let server: ControlPlane;
  let events: ReadonlyMap<string, SessionEvent>;

  before(async () => {
    // A pod whose owner does not exist would be collected.
    server = await startTestServer({ flags: [...sessionFlags, "--controllers=*,-garbage-collector-controller"] });
    using client = createApiClient(server.clientConfig);
    events = new Map((await disruptionEventSession(client)).map((event) => [event.name, event]));
  });

  after(() => server?.stop());

  for (const expected of recorded) {
    it(`about ${expected.name}`, () => {
      assert.deepEqual(events.get(expected.name), expected);
    });
  }
});
