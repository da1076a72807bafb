import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { auditV1 } from "@gatehouse/envelopes/types";
import { VolumeForecast } from "./volume-forecast.js";

function event(verb: string, rest: Partial<auditV1.Event> = {}): auditV1.Event {
  return {
    level: "RequestResponse",
    auditID: "id",
    stage: "ResponseComplete",
    requestURI: "/api/v1/namespaces/a/pods/p",
    verb,
    user: { username: "jane" },
    requestObject: { kind: "Pod", spec: {} },
    responseObject: { kind: "Pod", metadata: { managedFields: [] } },
    responseStatus: { code: 200 },
    requestReceivedTimestamp: "2026-01-01T00:00:00.000000Z",
    ...rest,
  };
}

const lineOf = (value: object): number => JSON.stringify(value).length + 1;

function forecast(policy: auditV1.Policy, events: readonly auditV1.Event[]) {
  const made = new VolumeForecast(policy);
  for (const each of events) {
    made.observe(each, JSON.stringify(each).length);
  }
  return made.report();
}

describe("the forecast of a policy", () => {
  test("counts events and bytes by rule, as the policy would have recorded them", () => {
    const received = event("create", { stage: "RequestReceived" });
    const created = event("create", { requestReceivedTimestamp: "2026-01-02T00:00:00.000000Z" });
    const deleted = event("delete");
    const got = event("get");
    const report = forecast(
      {
        omitStages: ["RequestReceived"],
        rules: [
          { level: "None", verbs: ["get"] },
          { level: "Request", verbs: ["create"] },
          { level: "RequestResponse", users: ["nobody"] },
        ],
      },
      [received, created, deleted, got],
    );
    const { responseObject: _, ...request } = created;
    const bytes = lineOf({ ...request, level: "Request" });
    assert.deepEqual(report, {
      recorded: { events: 4, bytes: lineOf(received) + lineOf(created) + lineOf(deleted) + lineOf(got) },
      forecast: { events: 1, bytes },
      rules: [
        { rule: 0, level: "None", matched: 1, events: 0, bytes: 0, belowLevel: 0 },
        { rule: 1, level: "Request", matched: 2, events: 1, bytes, belowLevel: 0 },
        { rule: 2, level: "RequestResponse", matched: 0, events: 0, bytes: 0, belowLevel: 0 },
        { rule: -1, level: "None", matched: 1, events: 0, bytes: 0, belowLevel: 0 },
      ],
      fromMs: Date.parse("2026-01-01T00:00:00Z"),
      toMs: Date.parse("2026-01-02T00:00:00Z"),
      belowLevel: 0,
    });
  });

  test("adds the stage that was not recorded but would be, and tells of bodies that are not known", () => {
    const { requestObject: _request, responseObject: _response, ...rest } = event("create");
    const created: auditV1.Event = { ...rest, level: "Metadata" };
    const report = forecast({ rules: [{ level: "RequestResponse" }] }, [created]);
    const { responseStatus: _status, ...first } = created;
    assert.deepEqual(report.forecast, {
      events: 2,
      bytes: lineOf(created) + lineOf({ ...first, level: "RequestResponse", stage: "RequestReceived" }),
    });
    assert.equal(report.belowLevel, 1);
  });
});
