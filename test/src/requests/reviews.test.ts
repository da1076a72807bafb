import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { ControlPlane } from "@gatehouse/testing";
import { type ApiClient, createApiClient } from "../spec/support/api-client.js";
import { assertCode, assertStatus } from "../spec/support/assert-status.js";
import { startTestServer } from "../support/start-test-server.js";

const path = "/apis/authentication.k8s.io";
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

describe("Reviews of who asks", { concurrency: true }, () => {
  let server: ControlPlane;
  let admin: ApiClient;
  before(async () => {
    server = await startTestServer({ flags: ["--runtime-config=api/all=true"] });
    admin = createApiClient(server.clientConfig);
  });
  after(async () => {
    admin[Symbol.dispose]();
    await server.stop();
  });

  for (const version of ["v1", "v1beta1", "v1alpha1"]) {
    it(`SelfSubjectReview in ${version} says who asks, and nothing of what was posted`, async () => {
      const review = {
        kind: "SelfSubjectReview",
        apiVersion: `authentication.k8s.io/${version}`,
        metadata: { name: "x", labels: { a: "b" } },
      };
      const answer = await admin.post(`${path}/${version}/selfsubjectreviews`, review);
      assertCode(answer, 201);
      const { metadata, ...rest } = answer.document;
      assert.deepEqual(Object.keys(metadata ?? {}), ["creationTimestamp"]);
      assert.match(String(metadata?.creationTimestamp), time);
      assert.deepEqual(rest, {
        kind: "SelfSubjectReview",
        apiVersion: `authentication.k8s.io/${version}`,
        status: { userInfo: { username: "kubernetes-admin", groups: ["system:masters", "system:authenticated"] } },
      });
    });
  }

  it("a review of the wrong kind is refused", async () => {
    const answer = await admin.post(`${path}/v1/selfsubjectreviews`, { kind: "Pod", apiVersion: "v1" });
    assertStatus(answer, {
      code: 400,
      reason: "BadRequest",
      message:
        'Pod in version "v1" cannot be handled as a SelfSubjectReview: converting (v1.Pod) to (authentication.SelfSubjectReview): unknown conversion',
    });
  });

  it("a review is not shown as a table", async () => {
    const answer = await admin.post(
      `${path}/v1/selfsubjectreviews`,
      {},
      { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" },
    );
    assertCode(answer, 406);
    assert.equal(
      answer.document.message,
      "only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf",
    );
  });

  it("reviews are made and not read", async () => {
    assertStatus(await admin.get(`${path}/v1/selfsubjectreviews`), {
      code: 405,
      reason: "MethodNotAllowed",
      message: "the server does not allow this method on the requested resource",
      details: {},
    });
  });
});
