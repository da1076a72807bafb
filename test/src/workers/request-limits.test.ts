import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { ControlPlane } from "@gatehouse/testing";
import { type StandIn, startStandIn } from "../aggregation/stand-in.js";
import { type ApiClient, createApiClient } from "../spec/support/api-client.js";
import { configMapsPath, freshNamespace } from "../spec/support/fixtures.js";
import { startTestServer } from "../support/start-test-server.js";
import { until } from "../support/until.js";
import { untilServing } from "./workers-of-server.js";

// The limit of concurrent writes of a server with two workers: each has its half, and together they let through no more
// than the limit says. A webhook that does not answer holds what they have let through.

const limit = 4;
const sent = 24;
let server: ControlPlane;
let hook: StandIn;
let client: ApiClient;
/** Answers the reviews that are held. */
let held: (() => void)[] = [];

before(async () => {
  hook = await startStandIn({ dnsNames: ["localhost"], http1: true });
  server = await startTestServer({
    flags: [
      "--workers=2",
      "--unsafe-no-fsync",
      "--enable-priority-and-fairness=false",
      `--max-mutating-requests-inflight=${limit}`,
      // Authors of more objects than this test makes.
      "--controllers=*,-bootstrap-roles,-root-ca-certificate-publisher-controller",
    ],
  });
  await untilServing(server, 2);
  client = createApiClient((await server.addUser({ name: "jane" })).clientConfig);
});
after(async () => {
  client?.[Symbol.dispose]();
  await server?.stop();
  await hook?.[Symbol.asyncDispose]();
});

test("workers let through as many writes together as the limit says", async () => {
  const namespace = await freshNamespace(client);
  hook.answer = async (request, response) => {
    let text = "";
    for await (const piece of request) {
      text += String(piece);
    }
    const { uid } = JSON.parse(text).request;
    held.push(() => {
      const body = { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", response: { uid, allowed: true } };
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
  };
  const registered = await client.post("/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations", {
    metadata: { name: "slow" },
    webhooks: [
      {
        name: "slow.example.com",
        clientConfig: {
          url: `https://localhost:${hook.port}/`,
          caBundle: Buffer.from(hook.authority).toString("base64"),
        },
        rules: [{ operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] }],
        namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespace } },
        failurePolicy: "Fail",
        sideEffects: "None",
        timeoutSeconds: 30,
        admissionReviewVersions: ["v1"],
      },
    ],
  });
  assert.equal(registered.status, 201, registered.text);
  await until("both workers know the webhook", async () => {
    held = [];
    let answered = 0;
    const probes = Array.from({ length: sent }, async (_, index) => {
      await client.post(`${configMapsPath(namespace)}?dryRun=All`, { metadata: { name: `probe-${index}` } });
      answered++;
    });
    await until("the probes are held or answered", () => answered + held.length === sent);
    const areHeld = held.length === limit;
    for (const answer of held) {
      answer();
    }
    await Promise.all(probes);
    return areHeld;
  });
  held = [];
  const answers: number[] = [];
  const writes = Array.from({ length: sent }, async (_, index) => {
    const { status, headers } = await client.post(configMapsPath(namespace), { metadata: { name: `c-${index}` } });
    if (status === 429) {
      assert.equal(headers["retry-after"], "1");
    }
    answers.push(status);
  });
  await until("all but those of the limit are refused", () => answers.length === sent - limit && held.length === limit);
  assert.deepEqual(new Set(answers), new Set([429]));
  for (const answer of held) {
    answer();
  }
  await Promise.all(writes);
  assert.equal(answers.filter((status) => status === 201).length, limit);
});
