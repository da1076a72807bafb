import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FaceClient } from "../etcd-face/face-under-test.js";
import { freePort } from "../support/free-port.js";
import { startTestServer } from "../support/start-test-server.js";
import { until } from "../support/until.js";
import { createApiClient } from "./support/api-client.js";
import { assertCode, assertStatus } from "./support/assert-status.js";
import { configMapsPath } from "./support/fixtures.js";

describe("Objects that an older release has stored", () => {
  it("Errors, rule 4: a dry run that would call a webhook with side effects fails", async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    await using server = await startTestServer({ flags: [`--listen-etcd-urls=${url}`] });
    using client = createApiClient(server.clientConfig);
    using store = await FaceClient.open(url);
    // Webhooks of `v1` have no side effects; those of `v1beta1` might have some, and are stored as long as nobody changes them.
    const configuration = {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingWebhookConfiguration",
      metadata: { name: "old", uid: "1b4e28ba-2fa1-11d2-883f-0016d3cca427", creationTimestamp: "2019-01-01T00:00:00Z" },
      webhooks: [
        {
          name: "old.example.com",
          clientConfig: { url: "https://127.0.0.1:1/" },
          rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }],
          failurePolicy: "Ignore",
          matchPolicy: "Equivalent",
          namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "default" } },
          objectSelector: {},
          sideEffects: "Some",
          timeoutSeconds: 1,
          admissionReviewVersions: ["v1"],
        },
      ],
    };
    await store.put("/registry/validatingwebhookconfigurations/old", `${JSON.stringify(configuration)}\n`);
    const tried = `${configMapsPath("default")}?dryRun=All`;
    const refused = await until("the webhook would be called", async () => {
      const answer = await client.post(tried, { metadata: { name: "tried" } });
      return answer.status !== 201 && answer;
    });
    assertStatus(refused, {
      code: 400,
      reason: "BadRequest",
      message: 'admission webhook "old.example.com" does not support dry run',
    });
    assertCode(await client.post(configMapsPath("default"), { metadata: { name: "made" } }), 201);
  });

  it("Versioning, deprecation rule 4b: what is stored in a version that is no longer preferred is served in the one that is", async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    await using server = await startTestServer({ flags: [`--listen-etcd-urls=${url}`] });
    using client = createApiClient(server.clientConfig);
    using store = await FaceClient.open(url);
    const autoscaler = {
      apiVersion: "autoscaling/v1",
      kind: "HorizontalPodAutoscaler",
      metadata: {
        name: "old",
        namespace: "default",
        uid: "1b4e28ba-2fa1-11d2-883f-0016d3cca427",
        creationTimestamp: "2019-01-01T00:00:00Z",
      },
      spec: { scaleTargetRef: { kind: "Deployment", name: "d" }, maxReplicas: 9, targetCPUUtilizationPercentage: 50 },
    };
    await store.put("/registry/horizontalpodautoscalers/default/old", `${JSON.stringify(autoscaler)}\n`);
    const path = "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers/old";
    const read = await until("it is read", async () => {
      const answer = await client.get(path);
      return answer.status === 200 && answer;
    });
    assert.equal(read.document.apiVersion, "autoscaling/v2");
    const { spec } = read.document as unknown as { readonly spec: { readonly metrics: unknown } };
    const cpu = { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } };
    assert.deepEqual(spec.metrics, [{ type: "Resource", resource: cpu }]);
  });
});
