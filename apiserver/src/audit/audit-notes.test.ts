import assert from "node:assert/strict";
import { test } from "node:test";
import type { AuditStage } from "@gatehouse/policies/audit";
import type { RequestInfo } from "../request/request-info.js";
import { AuditNotes } from "./audit-notes.js";
import { auditEvent } from "./backend.test.support.js";

test("Only the event of the complete answer has the annotations of the end", () => {
  const notes = new AuditNotes({ isResourceRequest: false } as RequestInfo);
  notes.decide({ level: "Metadata", omitStages: new Set(), omitManagedFields: false, rule: 0 });
  const { subject } = auditEvent("id").init;
  const annotationsAt = (stage: AuditStage): object =>
    Object.fromEntries(notes.event(stage, subject, 0, 200)?.init.annotations ?? []);
  notes.annotateEnd("k8s.io/deprecated", "true");
  assert.deepEqual(annotationsAt("ResponseStarted"), {});
  assert.deepEqual(annotationsAt("ResponseComplete"), { "k8s.io/deprecated": "true" });
  notes.annotate("a", "b");
  assert.deepEqual(annotationsAt("RequestReceived"), { a: "b" });
  assert.deepEqual(annotationsAt("Panic"), { a: "b" });
  assert.deepEqual(annotationsAt("ResponseComplete"), { a: "b", "k8s.io/deprecated": "true" });
});
