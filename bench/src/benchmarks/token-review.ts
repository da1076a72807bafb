import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { BenchEnvironment } from "../bench-environment.js";
import type { Benchmark } from "../benchmark.js";
import { type PreparedReview, reviewBenchmark } from "./review-benchmark.js";

/** Measures the review of a known token: it is verified once a minute. */
export const tokenReviewBenchmark: Benchmark = reviewBenchmark({
  name: "token-review",
  what: "TokenReview of a JWT that is known",
  program: "gatehouse-token-review",
  path: "/token-review",
  prepare: prepareReview,
});

const audience = "kubectl";

async function prepareReview({ certificates }: BenchEnvironment): Promise<PreparedReview> {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const [cert, key] = await Promise.all([certificates.certFile, certificates.keyFile].map((file) => readFile(file)));
  const issuer = createServer({ cert, key }, (request, response) => {
    const content = request.url?.startsWith("/.well-known/")
      ? { issuer: url, jwks_uri: `${url}/keys` }
      : { keys: [{ ...publicKey.export({ format: "jwk" }), kid: "1" }] };
    response.end(JSON.stringify(content));
  });
  issuer.listen(0, "127.0.0.1");
  await once(issuer, "listening");
  const url = `https://127.0.0.1:${(issuer.address() as AddressInfo).port}`;
  return {
    configuration: {
      apiVersion: "config.gatehouse.dev/v1alpha1",
      kind: "TokenReviewConfiguration",
      audiences: ["https://kubernetes.default.svc"],
      issuers: [
        {
          url,
          audiences: [audience],
          certificateAuthority: certificates.caFile,
          claimMappings: { groups: { claim: "groups" } },
        },
      ],
    },
    body: JSON.stringify({
      kind: "TokenReview",
      apiVersion: "authentication.k8s.io/v1",
      metadata: { creationTimestamp: null },
      spec: { token: tokenOf(url, privateKey), audiences: ["https://kubernetes.default.svc"] },
      status: { user: {} },
    }),
    expected: '"authenticated":true',
    async [Symbol.asyncDispose]() {
      issuer.close();
      issuer.closeAllConnections();
    },
  };
}

function tokenOf(iss: string, key: KeyObject): string {
  const exp = Math.floor(Date.now() / 1000) + 24 * 60 * 60;
  const groups = Array.from({ length: 10 }, (_, index) => `team-${index}`);
  const parts = [
    { alg: "RS256", kid: "1" },
    { iss, aud: audience, sub: "jane", email: "jane@example.com", groups, exp },
  ].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"));
  const signed = parts.join(".");
  return `${signed}.${sign("sha256", Buffer.from(signed), key).toString("base64url")}`;
}
