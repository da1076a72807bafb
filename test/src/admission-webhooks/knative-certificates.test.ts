import assert from "node:assert/strict";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { createHttpClient } from "@gatehouse/component-base/http-client";
import type { ControlPlane } from "@gatehouse/testing";
import { type ApiClient, createApiClient } from "../spec/support/api-client.js";
import { assertCode } from "../spec/support/assert-status.js";
import { withoutAdmission } from "../support/admission-flags.js";
import { type KnativeCertificates, knativeCertificates } from "../support/knative-certificates.js";
import { startTestServer } from "../support/start-test-server.js";
import { until } from "../support/until.js";

/** Allows every admission, and knows every token. */
async function startWebhook({ certificatePem, keyPem }: KnativeCertificates): Promise<Server> {
  const webhook = createServer({ cert: certificatePem, key: keyPem }, async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) {
      pieces.push(piece as Buffer);
    }
    const { kind, apiVersion, request: asked } = JSON.parse(Buffer.concat(pieces).toString());
    const answer =
      kind === "TokenReview"
        ? { status: { authenticated: true, user: { username: "jane" } } }
        : { response: { uid: asked.uid, allowed: true } };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ kind, apiVersion, ...answer }));
  });
  webhook.listen(0, "127.0.0.1");
  await once(webhook, "listening");
  return webhook;
}

describe("Webhooks with knative's certificates, in which server and authority bear one name,", () => {
  let certificates: KnativeCertificates;
  let other: KnativeCertificates;
  let webhook: Server;
  let url: string;
  let server: ControlPlane;
  let client: ApiClient;
  before(async () => {
    [certificates, other] = await Promise.all([knativeCertificates(), knativeCertificates()]);
    webhook = await startWebhook(certificates);
    url = `https://127.0.0.1:${(webhook.address() as AddressInfo).port}/`;
    server = await startTestServer({
      flags: [withoutAdmission],
      flagsFor: async (pki) => [
        `--authentication-token-webhook-config-file=${await writeWebhookConfig(dirname(pki.caFile))}`,
      ],
    });
    client = createApiClient(server.clientConfig);
  });
  after(async () => {
    client?.[Symbol.dispose]();
    await server?.stop();
    webhook?.close();
    webhook?.closeAllConnections();
  });

  async function writeWebhookConfig(folder: string): Promise<string> {
    const file = join(folder, "token-webhook.json");
    const config = {
      apiVersion: "v1",
      kind: "Config",
      clusters: [
        { name: "w", cluster: { server: url, "certificate-authority-data": base64(certificates.authorityPem) } },
      ],
      users: [{ name: "w", user: {} }],
      contexts: [{ name: "w", context: { cluster: "w", user: "w" } }],
      "current-context": "w",
    };
    await writeFile(file, JSON.stringify(config));
    return file;
  }

  /** Registers the webhook for ConfigMaps with a label. */
  async function register(name: string, authorityPem: string): Promise<void> {
    const configuration = {
      metadata: { name },
      webhooks: [
        {
          name: `${name}.example.com`,
          clientConfig: { url, caBundle: base64(authorityPem) },
          rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }],
          objectSelector: { matchLabels: { webhook: name } },
          sideEffects: "None",
          admissionReviewVersions: ["v1"],
        },
      ],
    };
    const path = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
    assertCode(await client.post(path, configuration), 201);
  }

  it("are called", async () => {
    await register("good", certificates.authorityPem);
    const created = await client.post("/api/v1/namespaces/default/configmaps", {
      metadata: { name: "good", labels: { webhook: "good" } },
    });
    assertCode(created, 201);
  });

  it("are not called when another authority of that name has signed, which is told in v1.29's words", async () => {
    await register("bad", other.authorityPem);
    const message = await until("the webhook is asked", async () => {
      const { status, document } = await client.post("/api/v1/namespaces/default/configmaps", {
        metadata: { generateName: "bad-", labels: { webhook: "bad" } },
      });
      return status === 201 ? undefined : String(document["message"]);
    });
    assert.equal(
      message,
      `Internal error occurred: failed calling webhook "bad.example.com": failed to call webhook: Post "${url}?timeout=10s": ` +
        "tls: failed to verify certificate: x509: certificate signed by unknown authority (possibly because of " +
        '"x509: ECDSA verification failure" while trying to verify candidate authority certificate "webhook.knative-serving.svc")',
    );
  });

  it("tell whose tokens are whose", async () => {
    using stranger = createHttpClient({
      config: { ...server.anonymousConfig, authorization: { kind: "token", token: "secret" } },
    });
    const { body } = await stranger.requestJson({
      method: "POST",
      path: "/apis/authentication.k8s.io/v1/selfsubjectreviews",
      body: { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" },
      signal: new AbortController().signal,
      timeoutMs: 60_000,
    });
    assert.equal((body as { status: { userInfo: { username: string } } }).status.userInfo.username, "jane");
  });
});

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
