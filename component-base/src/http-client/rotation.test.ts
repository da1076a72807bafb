import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { TLSSocket } from "node:tls";
import { type CertificateAndKey, type CertificateSubject, issueCertificate } from "../pki/issue-certificate.js";
import { openHttpsServing } from "../tls/https-serving.js";
import { createHttpClient } from "./http-client.js";

const folder = mkdtempSync(join(tmpdir(), "gatehouse-rotation-"));
after(() => rmSync(folder, { recursive: true }));

const validity = { notBefore: new Date(Date.now() - 3_600_000), notAfter: new Date(Date.now() + 3_600_000) };
const [first, second] = await Promise.all(
  ["first", "second"].map((commonName) =>
    issueCertificate({ subject: { kind: "authority", commonName }, ...validity }),
  ),
);
assert.ok(first !== undefined && second !== undefined);
const file = (name: string): string => join(folder, name);
writeFileSync(file("ca.crt"), first.certificatePem + second.certificatePem);

async function write(name: string, issuer: CertificateAndKey): Promise<CertificateAndKey> {
  const subject: CertificateSubject =
    name === "server"
      ? { kind: "server", commonName: "s", dnsNames: [], ipAddresses: ["127.0.0.1"] }
      : { kind: "client", user: "jane", groups: [] };
  const issued = await issueCertificate({ subject, issuer, ...validity });
  writeFileSync(file(`${name}.crt`), issued.certificatePem);
  writeFileSync(file(`${name}.key`), issued.keyPem);
  return issued;
}

test("no call fails while server and client change their certificates again and again", async () => {
  const [, clientCertificate] = await Promise.all([write("server", first), write("client", first)]);
  const certificates = { certFile: file("client.crt"), keyFile: file("client.key") };
  using serving = await openHttpsServing({
    certFile: file("server.crt"),
    keyFile: file("server.key"),
    callerCaFile: file("ca.crt"),
  });
  const server = createServer(serving.options, async (request, response) => {
    const caller = await serving.identifyCaller(request.socket as TLSSocket);
    // Every so often the server closes a connection that the client would keep.
    if (Math.random() < 0.05) {
      response.setHeader("connection", "close");
    }
    response.statusCode = caller.outcome === "trusted" ? 200 : 401;
    response.end();
  });
  serving.attach(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  using client = createHttpClient({
    config: {
      server: new URL(`https://127.0.0.1:${port}`),
      insecureSkipTlsVerify: false,
      certificateAuthorityPem: first.certificatePem + second.certificatePem,
      clientCertificate,
      clientCertificateFiles: certificates,
    },
    maxConnections: 4,
    credentials: { fileCheckIntervalMs: 0 },
  });
  const signal = new AbortController().signal;
  let rotating = true;
  let calls = 0;
  async function callAgainAndAgain(): Promise<void> {
    while (rotating) {
      const { status } = await client.request({
        method: "POST",
        path: "/",
        idempotent: true,
        signal,
        timeoutMs: 20_000,
      });
      assert.equal(status, 200);
      calls++;
    }
  }
  const callers = Array.from({ length: 8 }, callAgainAndAgain);
  try {
    for (let round = 0; round < 10; round++) {
      const issuer = round % 2 === 0 ? second : first;
      await Promise.all([write("server", issuer), write("client", issuer)]);
      assert.notEqual(await serving.checkNow(), "refused");
      await sleep(50);
    }
  } finally {
    rotating = false;
    await Promise.allSettled(callers);
    server.close();
    server.closeAllConnections();
  }
  await Promise.all(callers);
  assert.ok(calls > 20, `${calls} calls`);
});
