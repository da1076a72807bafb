import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { ControlPlane } from "@gatehouse/testing";
import { type ApiClient, createApiClient } from "../spec/support/api-client.js";
import type { ApiDocument } from "../spec/support/api-document.js";
import { startTestServer } from "../support/start-test-server.js";
import { until } from "../support/until.js";

const core = "/api/v1/namespaces/default";
const budgets = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
const crews = "/apis/example.com/v1/namespaces/default/crews";

let server: ControlPlane;
let client: ApiClient;
before(async () => {
  server = await startTestServer({ flags: ["--disable-admission-plugins=ServiceAccount"] });
  client = createApiClient(server.clientConfig);
  await make("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "crews.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "crews", kind: "Crew" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
          subresources: { scale: { specReplicasPath: ".spec.size", statusReplicasPath: ".status.size" } },
        },
      ],
    },
  });
  await until("the definition is served", async () => (await client.get(crews)).status === 200 || undefined);
});
after(async () => {
  client?.[Symbol.dispose]();
  await server?.stop();
});

async function make(path: string, object: object): Promise<ApiDocument> {
  const { status, text, document } = await client.post(path, object);
  assert.equal(status, 201, text);
  return document;
}

/** Makes a crew, a pod of it and a budget for half of its pods. Resolves to the status of the budget. */
async function statusFor(name: string, spec: object): Promise<ApiDocument> {
  const { metadata } = await make(crews, { apiVersion: "example.com/v1", kind: "Crew", metadata: { name }, spec });
  const { uid } = metadata as ApiDocument;
  const owner = { apiVersion: "example.com/v1", kind: "Crew", name, uid, controller: true };
  await make(`${core}/pods`, {
    metadata: { name, labels: { crew: name }, ownerReferences: [owner] },
    spec: { containers: [{ name: "c", image: "i" }] },
  });
  await make(budgets, {
    metadata: { name },
    spec: { maxUnavailable: "50%", selector: { matchLabels: { crew: name } } },
  });
  return await until(`the status of budget ${name}`, async () => {
    const { status } = (await client.get(`${budgets}/${name}`)).document;
    return (status as ApiDocument | undefined)?.["conditions"] === undefined ? undefined : (status as ApiDocument);
  });
}

test("a budget counts the replicas at the path that a definition names for its scale", async () => {
  const { expectedPods, desiredHealthy } = await statusFor("sized", { size: 5, replicas: 2 });
  assert.deepEqual({ expectedPods, desiredHealthy }, { expectedPods: 5, desiredHealthy: 2 });
});

test("a budget of pods whose owner does not state its replicas says so", async () => {
  const { conditions } = await statusFor("unsized", { replicas: 2 });
  const [{ reason, message }] = conditions as [ApiDocument];
  assert.deepEqual(
    { reason, message },
    { reason: "SyncFailed", message: 'Internal error occurred: the spec replicas field ".spec.size" does not exist' },
  );
});
