import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { ControlPlane } from "@gatehouse/testing";
import { createApiClient } from "../spec/support/api-client.js";
import { startTestServer } from "../support/start-test-server.js";
import { until } from "../support/until.js";
import { perform } from "./acts.js";
import { tokenFile } from "./cast.js";
import { acts } from "./escalation.js";
import { guardedWrites } from "./guarded-writes.js";
import { type Answered, type Play, play } from "./play.js";
import { type AccessReviewAnswer, readAccessReviews, readRecording } from "./recording.js";

/** The members of an audit event that the test compares. */
interface AuditedRequest {
  readonly stage: string;
  readonly user: { readonly username: string };
  readonly requestURI: string;
  readonly annotations?: unknown;
}

describe("Under roles and nodes, every request of every user gets the answer of v1.29:", () => {
  const recorded = readRecording();
  let folder: string;
  let server: ControlPlane;
  let played: Play;
  let attempted: readonly Answered[];
  let guarded: readonly Answered[];
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "gatehouse-authorization-"));
    const tokens = join(folder, "tokens.csv");
    const policy = join(folder, "audit.yaml");
    writeFileSync(tokens, tokenFile);
    writeFileSync(policy, "apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: Metadata}]\n");
    server = await startTestServer({
      flags: [
        "--authorization-mode=Node,RBAC",
        `--token-auth-file=${tokens}`,
        "--enable-admission-plugins=OwnerReferencesPermissionEnforcement,NodeRestriction,DenyServiceExternalIPs",
        `--audit-policy-file=${policy}`,
        `--audit-log-path=${join(folder, "audit.log")}`,
      ],
    });
    using client = createApiClient(server.anonymousConfig);
    played = await play(client);
    attempted = await perform(client, acts);
    guarded = await perform(client, guardedWrites);
  });
  after(async () => {
    await server.stop();
    await rm(folder, { recursive: true });
  });

  for (const [name, answers] of Object.entries(recorded.play)) {
    it(name, () => {
      assert.deepEqual(played[name], answers);
    });
  }

  it("the audit log tells who allowed what by which rule, and what came closest", async () => {
    const lines = (): readonly AuditedRequest[] =>
      readFileSync(join(folder, "audit.log"), "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as AuditedRequest);
    const annotationsOf = (username: string, requestURI: string): unknown =>
      lines().find(
        ({ stage, user, requestURI: uri }) =>
          stage === "ResponseComplete" && user.username === username && uri === requestURI,
      )?.annotations;
    await until("everything is written", () => annotationsOf('o"dd <b>', "/version") !== undefined);
    assert.deepEqual(annotationsOf("picker", "/api/v1/namespaces/a/pods/p1"), {
      "authorization.k8s.io/decision": "allow",
      "authorization.k8s.io/reason":
        'RBAC: allowed by RoleBinding "test-test-picking/a" of Role "test-picking" to Group "pickers"',
      "why.authorization.gatehouse.dev/rule":
        'RoleBinding "test-test-picking/a" of Role "test-picking" to Group "pickers": rule {APIGroups:[""], Resources:["pods" "secrets"], ResourceNames:["p1" "s1"], Verbs:["get"]}',
    });
    assert.deepEqual(annotationsOf("picker", "/api/v1/namespaces/a/pods"), {
      "authorization.k8s.io/decision": "forbid",
      "authorization.k8s.io/reason": "",
      "why.authorization.gatehouse.dev/closest":
        'RoleBinding "test-test-picking/a" of Role "test-picking" to Group "pickers": rule {APIGroups:[""], Resources:["pods" "secrets"], ResourceNames:["p1" "s1"], Verbs:["get"]}, but it has the verbs ["get"], not "list", and it is for the names ["p1" "s1"], and the request names none',
    });
    assert.deepEqual(annotationsOf("master", "/api/v1/pods"), {
      "authorization.k8s.io/decision": "allow",
      "authorization.k8s.io/reason": "",
    });
  });

  for (const { name, path, body, code, answer } of readAccessReviews()) {
    it(`a review ${name}: ${path}`, async () => {
      using admin = createApiClient(server.clientConfig);
      const { status, document } = await admin.post(path, body);
      assert.equal(status, code);
      const { metadata, ...rest } = document as AccessReviewAnswer;
      const { managedFields: _, ...meta } = metadata ?? {};
      const { message, reason, details } = rest;
      const problem = { message, reason, ...(details === undefined ? {} : { details }) };
      assert.deepEqual(code === 201 ? { ...rest, metadata: meta } : problem, answer);
    });
  }

  for (const [index, { by, method, path }] of acts.entries()) {
    it(`step ${index} towards more rights: ${method} ${path} by ${by}`, () => {
      assert.deepEqual(attempted[index], recorded.attempt[index]);
    });
  }

  for (const [index, { by, method, path }] of guardedWrites.entries()) {
    it(`guarded write ${index}: ${method} ${path} by ${by}`, () => {
      assert.deepEqual(guarded[index], recorded.guarded[index]);
    });
  }
});
