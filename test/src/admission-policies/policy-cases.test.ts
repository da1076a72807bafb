import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { createHttpClient } from "@gatehouse/component-base/http-client";
import type { ControlPlane } from "@gatehouse/testing";
import { startTestServer } from "../support/start-test-server.js";
import { auditPolicy, readAuditLog } from "./audit-annotations.js";
import { cases } from "./cases.js";
import { readRecording, readTypes } from "./recording.js";
import { type CaseOutcome, runCases, tokenFile } from "./run-cases.js";
import { askTypeChecker, typeQuestions } from "./type-checking.js";

const recorded = readRecording();

let server: ControlPlane;
let folder: string;
let outcomes: ReadonlyMap<string, CaseOutcome>;
let types: readonly unknown[];

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatehouse-policies-"));
  const file = (name: string): string => join(folder, name);
  await writeFile(file("tokens.csv"), tokenFile);
  await writeFile(file("audit-policy.json"), JSON.stringify(auditPolicy));
  server = await startTestServer({
    flags: [
      "--authorization-mode=RBAC",
      "--disable-admission-plugins=ServiceAccount",
      "--feature-gates=ValidatingAdmissionPolicy=true",
      "--runtime-config=admissionregistration.k8s.io/v1beta1=true,admissionregistration.k8s.io/v1alpha1=true",
      `--token-auth-file=${file("tokens.csv")}`,
      `--audit-policy-file=${file("audit-policy.json")}`,
      `--audit-log-path=${file("audit.log")}`,
    ],
  });
  using client = createHttpClient({ config: server.anonymousConfig });
  const asked = { client, settleMs: 0, annotationsOf: readAuditLog(file("audit.log")) };
  outcomes = await runCases(asked, cases);
  types = await askTypeChecker(asked);
});

after(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

for (const { name } of cases) {
  test(`as v1.29: ${name}`, () => {
    assert.deepEqual(outcomes.get(name), recorded[name]);
  });
}

const recordedTypes = readTypes();

for (const [index, { rule, expression }] of typeQuestions.entries()) {
  test(`the type checker says of ${rule} what v1.29 says: ${expression}`, () => {
    assert.deepEqual(types[index], recordedTypes[index]);
  });
}
