import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import type { AdmissionPlugin } from "@gatehouse/apiserver/admission";
import { type TestWrite, testAttributes } from "@gatehouse/apiserver/admission/testing";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { issueCertificate } from "@gatehouse/component-base/pki";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { StatusError } from "@gatehouse/envelopes/status";
import { testParts } from "../plugin.test.support.js";
import { imagePolicyWebhook } from "./image-policy-webhook.js";
import { recordedAnswers } from "./recorded-answers.test.support.js";

const folder = mkdtempSync(join(tmpdir(), "gatehouse-image-policy-"));
const now = Date.now();
const validity = { notBefore: new Date(now - 3_600_000), notAfter: new Date(now + 3_600_000) };
const ca = await issueCertificate({ subject: { kind: "authority", commonName: "ca" }, ...validity });
const serving = await issueCertificate({
  subject: { kind: "server", commonName: "images", dnsNames: [], ipAddresses: ["127.0.0.1"] },
  issuer: ca,
  ...validity,
});

interface Asked {
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}
const asked: Asked[] = [];
let answer: (response: ServerResponse, spec: JsonObject) => void;
const webhook = createServer({ cert: serving.certificatePem, key: serving.keyPem }, async (request, response) => {
  let body = "";
  for await (const chunk of request) {
    body += chunk;
  }
  asked.push({ url: request.url ?? "", headers: request.headers, body });
  answer(response, (JSON.parse(body) as { spec: JsonObject }).spec);
});
webhook.listen(0, "127.0.0.1");
await once(webhook, "listening");
const { port } = webhook.address() as AddressInfo;
writeFileSync(join(folder, "ca.crt"), ca.certificatePem);
writeFileSync(
  join(folder, "webhook.kubeconfig"),
  `clusters: [{name: c, cluster: {server: "https://127.0.0.1:${port}/review", certificate-authority: ca.crt}}]
users: [{name: u, user: {token: secret}}]
contexts: [{name: c, context: {cluster: c, user: u}}]
current-context: c
`,
);
const stopping = new AbortController();
after(() => {
  stopping.abort();
  webhook.close();
  webhook.closeAllConnections();
  rmSync(folder, { recursive: true });
});

let time = now;
const plugin = (imagePolicy: JsonObject): Promise<AdmissionPlugin> =>
  imagePolicyWebhook({
    ...testParts({ now: () => time, signal: stopping.signal }),
    configuration: { subject: "test.yaml", folder, content: { imagePolicy } },
  });
const denying = await plugin({ kubeConfigFile: "webhook.kubeconfig", allowTTL: 0, denyTTL: -1, retryBackoff: 1 });
const allowing = await plugin({ kubeConfigFile: "webhook.kubeconfig", defaultAllow: true, retryBackoff: 1 });

const pod = (images: readonly string[], annotations: JsonObject = {}): JsonObject => ({
  metadata: { name: "p", namespace: "n", annotations },
  spec: { containers: images.map((image) => ({ name: "c", image })) },
});

/** Returns the outcome of a write: the number of calls of the webhook, the audit annotations and the refusal. */
async function outcome(of: AdmissionPlugin, write: TestWrite) {
  const before = asked.length;
  const attributes = testAttributes({ kind: "Pod", resource: "pods", ...write });
  let refused: unknown = null;
  try {
    await of.validate?.(attributes);
  } catch (error) {
    assert.ok(error instanceof StatusError, String(error));
    refused = { code: error.code, reason: error.reason, message: error.message.replaceAll(`:${port}/`, ":23010/") };
  }
  return { calls: asked.length - before, annotations: Object.fromEntries(attributes.annotations), refused };
}

const review = (status: JsonObject) =>
  JSON.stringify({ apiVersion: "imagepolicy.k8s.io/v1alpha1", kind: "ImageReview", status });
const say = (status: JsonObject) => {
  answer = (response) => response.end(review(status));
};

describe("ImagePolicyWebhook", () => {
  test("is asked about pods and containers that are added to them, byte for byte as by v1.29", async () => {
    say({ allowed: true });
    const annotations = {
      "x.image-policy.k8s.io/ticket": "1",
      "image-policy.k8s.io/none": "2",
      other: "3",
      "a.b.image-policy.k8s.io/z": "4",
    };
    const object = {
      metadata: { name: "p", annotations },
      spec: {
        containers: [{ name: "c", image: "ok:a" }],
        initContainers: [{ name: "i", image: "ok:init" }],
        ephemeralContainers: [{ name: "e", image: "ok:e" }],
      },
    };
    assert.deepEqual(await outcome(denying, { namespace: "t", object }), { calls: 1, annotations: {}, refused: null });
    const sent = asked.at(-1);
    assert.equal(
      sent?.body,
      '{"kind":"ImageReview","apiVersion":"imagepolicy.k8s.io/v1alpha1","metadata":{"creationTimestamp":null},"spec":{"containers":[{"image":"ok:a"},{"image":"ok:init"}],"annotations":{"a.b.image-policy.k8s.io/z":"4","x.image-policy.k8s.io/ticket":"1"},"namespace":"t"},"status":{"allowed":false}}\n',
    );
    assert.equal(sent?.url, "/review?timeout=30s");
    assert.deepEqual(
      { ...sent?.headers, host: "" },
      {
        host: "",
        connection: "keep-alive",
        "user-agent": "Go-http-client/1.1",
        "accept-encoding": "gzip",
        authorization: "Bearer secret",
        "content-type": "application/json",
        accept: "application/json, */*",
        "content-length": "291",
      },
    );
    await outcome(denying, {
      namespace: "t",
      object,
      operation: "UPDATE",
      name: "p",
      subresource: "ephemeralcontainers",
    });
    assert.deepEqual((JSON.parse(asked.at(-1)?.body ?? "") as { spec: JsonObject }).spec["containers"], [
      { image: "ok:e" },
    ]);
    const concerns = (resource: string, subresource: string, operation: "CREATE" | "UPDATE" | "DELETE") =>
      denying.concerns?.({ operation, resource: { group: "", resource }, subresource });
    assert.deepEqual(
      [
        concerns("pods", "", "UPDATE"),
        concerns("pods", "status", "UPDATE"),
        concerns("pods", "", "DELETE"),
        concerns("podtemplates", "", "CREATE"),
      ],
      [true, false, false, false],
    );
  });

  for (const { what, status, headers, body, calls, refused } of recordedAnswers) {
    test(`comes to what v1.29 comes to when the webhook answers with ${what}`, async () => {
      answer = (response, spec) => {
        if (status === 0) {
          response.socket?.destroy();
          return;
        }
        response.writeHead(status, { "content-type": "application/json", ...headers });
        response.end(typeof body === "string" ? body : JSON.stringify({ spec, ...body }));
      };
      const write: TestWrite = { name: "", object: pod([`${what}:1`]) };
      if (status === 0) {
        // On a kept connection we ask once more, which is safe here; a new one makes it comparable.
        webhook.closeAllConnections();
        await new Promise((resolve) => setTimeout(resolve, 50));
        // A process that was held up meanwhile has yet to hear of the end.
        await new Promise(setImmediate).then(() => new Promise(setImmediate));
      }
      assert.deepEqual(await outcome(denying, write), { calls, annotations: {}, refused });
      const decided = refused === null || /image policy webhook|one or more images/.test(refused.message);
      assert.deepEqual(await outcome(allowing, write), {
        calls,
        annotations: decided ? {} : { "imagepolicywebhook.image-policy.k8s.io/failed-open": "true" },
        refused: decided ? refused : null,
      });
    });
  }

  test("nobody there is a refusal, or none", async () => {
    const nobody = join(folder, "nobody.kubeconfig");
    writeFileSync(
      nobody,
      "clusters: [{name: c, cluster: {server: 'https://127.0.0.1:1'}}]\ncontexts: [{name: c, context: {cluster: c}}]\ncurrent-context: c\n",
    );
    const message =
      'pods "p" is forbidden: Post "https://127.0.0.1:1/?timeout=30s": dial tcp 127.0.0.1:1: connect: connection refused';
    assert.deepEqual(await outcome(await plugin({ kubeConfigFile: nobody }), { object: pod(["a"]) }), {
      calls: 0,
      annotations: {},
      refused: { code: 403, reason: "Forbidden", message },
    });
  });

  test("passes annotations on to the audit log, from memory, too", async () => {
    say({ allowed: false, reason: "not signed", auditAnnotations: { rule: "signed-only" } });
    const known = {
      annotations: { "imagepolicywebhook.image-policy.k8s.io/rule": "signed-only" },
      refused: {
        code: 403,
        reason: "Forbidden",
        message: 'pods "p" is forbidden: image policy webhook backend denied one or more images: not signed',
      },
    };
    const write = { object: pod(["unsigned"]) };
    assert.deepEqual(await outcome(allowing, write), { calls: 1, ...known });
    assert.deepEqual(await outcome(allowing, write), { calls: 0, ...known });
    assert.deepEqual(await outcome(denying, write), { calls: 1, ...known });
    assert.deepEqual(await outcome(denying, write), { calls: 1, ...known }, "denyTTL is -1");
    time += 30_000;
    assert.deepEqual(await outcome(allowing, write), { calls: 1, ...known }, "denyTTL is half a minute by default");
  });

  test("remembers by all that was asked: images, annotations, namespace", async () => {
    say({ allowed: true });
    const calls = async (write: TestWrite) => (await outcome(denying, write)).calls;
    assert.equal(await calls({ object: pod(["r/a", "r/b"]) }), 1);
    assert.equal(await calls({ object: pod(["r/a", "r/b"], { other: "1" }), operation: "UPDATE", name: "p" }), 0);
    assert.equal(await calls({ object: pod(["r/b", "r/a"]) }), 1);
    assert.equal(await calls({ object: pod(["r/a", "r/b"], { "a.image-policy.k8s.io/b": "" }) }), 1);
    assert.equal(await calls({ object: pod(["r/a", "r/b"]), namespace: "other" }), 1);
    time += 299_000;
    assert.equal(await calls({ object: pod(["r/a", "r/b"]) }), 0);
    time += 1000;
    assert.equal(await calls({ object: pod(["r/a", "r/b"]) }), 1, "allowTTL is five minutes by default");
  });

  test("needs a configuration that is right", async () => {
    const problemsOf = async (imagePolicy: JsonObject) =>
      plugin(imagePolicy).then(
        () => [],
        (error: unknown) =>
          error instanceof ConfigurationError ? error.problems.map(({ message }) => message) : error,
      );
    await assert.rejects(imagePolicyWebhook(testParts()), {
      message: "ImagePolicyWebhook: imagePolicy: is required: it needs a configuration",
    });
    assert.deepEqual(await problemsOf({ allowTTL: "5", defaultallow: true }), [
      "imagePolicy.kubeConfigFile: is required",
      "imagePolicy.defaultallow: is not a member of this kind",
      "imagePolicy.allowTTL: must be integer",
    ]);
    assert.deepEqual(await problemsOf({ kubeConfigFile: "x", allowTTL: 1801, denyTTL: -2, retryBackoff: 300_001 }), [
      "imagePolicy.retryBackoff: must be from 1 to 300000, 0 for the default or -1 for none",
      "imagePolicy.allowTTL: must be from 1 to 1800, 0 for the default or -1 for none",
      "imagePolicy.denyTTL: must be from 1 to 1800, 0 for the default or -1 for none",
    ]);
    assert.deepEqual(await problemsOf({ kubeConfigFile: "x" }), [`${join(folder, "x")}: cannot be read (ENOENT)`]);
  });
});
