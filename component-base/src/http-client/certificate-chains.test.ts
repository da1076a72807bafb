import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { describe, test } from "node:test";
import { HttpClientError } from "../errors.js";
import { type ChainCase, chainCases } from "../tls/certificate-chains.test.support.js";
import { goErrorText } from "./go-error-text.js";
import { createHttpClient } from "./http-client.js";
import { certificateProblem } from "./verify-server-certificate.js";

const times = /\d{4}-\d{2}-\d{2}T[\d:]{8}Z/g;

/** Outcome of two calls of a server, each over a connection of its own: `answered`, or the error in Go's words. */
async function call({ shownPem, keyPem, authoritiesPem }: ChainCase): Promise<readonly string[]> {
  // A server of today's defaults would not show a signature with SHA-1.
  const ciphers = "DEFAULT:@SECLEVEL=0";
  const server = createServer({ cert: shownPem, key: keyPem, ciphers }, (_, response) => {
    response.setHeader("connection", "close");
    response.end("{}");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  using client = createHttpClient({
    config: {
      server: new URL(`https://127.0.0.1:${port}`),
      tlsServerName: "localhost",
      certificateAuthorityPem: authoritiesPem,
      insecureSkipTlsVerify: false,
    },
  });
  const outcomes: string[] = [];
  try {
    for (let round = 0; round < 2; round++) {
      const asked = client.request({ path: "/", signal: new AbortController().signal, timeoutMs: 20_000 });
      outcomes.push(
        await asked.then(
          () => "answered",
          (error: unknown) => (error instanceof HttpClientError ? goErrorText(error) : String(error)),
        ),
      );
    }
  } finally {
    server.close();
    server.closeAllConnections();
  }
  return outcomes.map((text) => text.replace(times, "TIME"));
}

test("a verdict of OpenSSL that is about something else stands, even where the chain is good", async () => {
  const [good] = await chainCases("server");
  assert.ok(good !== undefined);
  const shown = { certificate: new X509Certificate(good.shownPem), authoritiesPem: good.authoritiesPem };
  const told = (chainError: string) =>
    certificateProblem({ ...shown, chainError, wanted: "localhost", now: new Date() });
  assert.equal(await told("DEPTH_ZERO_SELF_SIGNED_CERT"), undefined);
  for (const code of ["CERT_REVOKED", "CERT_HAS_EXPIRED", "EE_KEY_TOO_SMALL", "INVALID_CA", "unknown"]) {
    assert.deepEqual(await told(code), { kind: "other", code });
  }
});

describe("A server is called when v1.29 would call it, on every connection:", async () => {
  for (const known of await chainCases("server")) {
    const { title, problem } = known;
    test(`${title}: ${problem ?? "called"}`, async () => {
      const expected = problem === undefined ? "answered" : `tls: failed to verify certificate: x509: ${problem}`;
      assert.deepEqual(await call(known), [expected, expected]);
    });
  }
});
