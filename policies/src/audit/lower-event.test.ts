import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { JsonObject } from "@gatehouse/envelopes/json";
import type { auditV1 } from "@gatehouse/envelopes/types";
import type { AuditVerdict } from "./compile-audit-policy.js";
import { lowerEvent } from "./lower-event.js";
import { omitManagedFields } from "./omit-managed-fields.js";

const pod = (name: string): JsonObject => ({ kind: "Pod", metadata: { name, managedFields: [{ manager: "m" }] } });
const barePod = (name: string): JsonObject => ({ kind: "Pod", metadata: { name } });

const event: auditV1.Event = {
  kind: "Event",
  apiVersion: "audit.k8s.io/v1",
  level: "RequestResponse",
  auditID: "1",
  stage: "ResponseComplete",
  requestURI: "/api/v1/namespaces/default/pods",
  verb: "create",
  user: { username: "ann" },
  requestObject: pod("sent"),
  responseObject: pod("made"),
};

function verdict(level: AuditVerdict["level"], more: Partial<AuditVerdict> = {}): AuditVerdict {
  return { level, omitStages: new Set(), omitManagedFields: false, rule: 0, ...more };
}

describe("an event that was recorded", () => {
  const { responseObject: _response, ...withRequest } = event;
  const { requestObject: _request, ...metadata } = withRequest;

  test("is lowered by leaving out bodies", () => {
    assert.equal(lowerEvent(event, verdict("RequestResponse")), event);
    assert.deepEqual(lowerEvent(event, verdict("Request")), { ...withRequest, level: "Request" });
    assert.deepEqual(lowerEvent(event, verdict("Metadata")), { ...metadata, level: "Metadata" });
    assert.equal(lowerEvent(event, verdict("None")), undefined);
  });

  test("is never raised", () => {
    const recorded: auditV1.Event = { ...metadata, level: "Metadata" };
    assert.equal(lowerEvent(recorded, verdict("RequestResponse")), recorded);
  });

  test("is left out at a stage that is omitted", () => {
    assert.equal(lowerEvent(event, verdict("Metadata", { omitStages: new Set(["ResponseComplete"]) })), undefined);
    assert.equal(lowerEvent(event, verdict("RequestResponse", { omitStages: new Set(["Panic"]) })), event);
  });

  test("loses managed fields in both bodies", () => {
    const bare = lowerEvent(event, verdict("RequestResponse", { omitManagedFields: true }));
    assert.deepEqual(bare, { ...event, requestObject: barePod("sent"), responseObject: barePod("made") });
    assert.deepEqual(event.requestObject, pod("sent"), "the event itself stays as it is");
  });
});

describe("managed fields are left out", () => {
  test("of the items of a list", () => {
    const list = { kind: "PodList", metadata: { resourceVersion: "1" }, items: [pod("a"), null, barePod("b")] };
    assert.deepEqual(omitManagedFields(list), { ...list, items: [barePod("a"), null, barePod("b")] });
  });

  test("of the objects in the rows of a table", () => {
    const table = { kind: "Table", metadata: {}, rows: [{ cells: ["a"], object: pod("a") }, { cells: ["b"] }] };
    assert.deepEqual(omitManagedFields(table), {
      ...table,
      rows: [{ cells: ["a"], object: barePod("a") }, { cells: ["b"] }],
    });
  });

  test("and what has none is the same object", () => {
    for (const object of [barePod("a"), { kind: "PodList", items: [barePod("a")] }, { metadata: "text" }, {}]) {
      assert.equal(omitManagedFields(object), object);
    }
  });
});
