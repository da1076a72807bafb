import assert from "node:assert/strict";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { after, test } from "node:test";
import { issueCertificate } from "@gatehouse/component-base/pki";
import { webhookTokens } from "./webhook-tokens.js";

const now = Date.now();
const validity = { notBefore: new Date(now - 3_600_000), notAfter: new Date(now + 3_600_000) };
const ca = await issueCertificate({ subject: { kind: "authority", commonName: "ca" }, ...validity });
const serving = await issueCertificate({
  subject: { kind: "server", commonName: "tokens", dnsNames: [], ipAddresses: ["127.0.0.1"] },
  issuer: ca,
  ...validity,
});
let answer: (response: ServerResponse) => void = () => {};
const webhook = createServer({ cert: serving.certificatePem, key: serving.keyPem }, (request, response) => {
  request.resume().on("end", () => answer(response));
});
webhook.listen(0, "127.0.0.1");
await once(webhook, "listening");
const stopping = new AbortController();
after(() => {
  stopping.abort();
  webhook.close();
  webhook.closeAllConnections();
});

const tokens = (timeoutMs: number) =>
  webhookTokens({
    client: {
      server: new URL(`https://127.0.0.1:${(webhook.address() as AddressInfo).port}/tokens`),
      certificateAuthorityPem: ca.certificatePem,
      insecureSkipTlsVerify: false,
    },
    version: "v1",
    apiAudiences: ["api"],
    timeoutMs,
    signal: stopping.signal,
  });

test("a token is refused when its webhook has said nothing in time, however often it is asked", async () => {
  const late = { outcome: "rejected", reasons: ["context deadline exceeded"] };
  answer = () => {};
  assert.deepEqual(await tokens(200).authenticateToken("a", ["api"]), late);
  answer = (response) => response.writeHead(500).end();
  assert.deepEqual(await tokens(900).authenticateToken("a", ["api"]), late);
  answer = (response) => response.writeHead(404).end();
  const { outcome } = await tokens(5_000).authenticateToken("a", ["api"]);
  assert.equal(outcome, "rejected");
});
