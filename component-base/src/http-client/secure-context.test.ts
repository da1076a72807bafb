import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { issueCertificate } from "../pki/index.js";

const module = JSON.stringify(new URL("index.js", import.meta.url).href);

test("a server is trusted by the authorities of this machine where nobody names others", async () => {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-trust-"));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const now = Date.now();
  const validity = { notBefore: new Date(now - 3_600_000), notAfter: new Date(now + 3_600_000) };
  const ca = await issueCertificate({ subject: { kind: "authority", commonName: "ca" }, ...validity });
  const { certificatePem: cert, keyPem: key } = await issueCertificate({
    subject: { kind: "server", commonName: "server", dnsNames: [], ipAddresses: ["127.0.0.1"] },
    issuer: ca,
    ...validity,
  });
  writeFileSync(join(folder, "ca.pem"), ca.certificatePem);
  const server = createServer({ cert, key }, (request, response) => response.end(request.url));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  after(() => server.close());
  const program = (insecureSkipTlsVerify: boolean): string => `
    import { createHttpClient } from ${module};
    const client = createHttpClient({
      config: {
        server: new URL("https://127.0.0.1:${(server.address() as AddressInfo).port}"),
        insecureSkipTlsVerify: ${insecureSkipTlsVerify},
      },
    });
    const call = { method: "GET", path: "/asked", signal: new AbortController().signal, timeoutMs: 30_000 };
    console.log(await client.request(call).then(({ body }) => String(body), (error) => error.message));
    process.exit();`;
  const ask = async (file: string, insecure = false): Promise<string> => {
    const env = { PATH: process.env["PATH"], SSL_CERT_FILE: join(folder, file), SSL_CERT_DIR: folder };
    const flags = ["--input-type=module", "--eval", program(insecure)];
    return (await promisify(execFile)(process.execPath, flags, { env })).stdout;
  };
  assert.equal(await ask("ca.pem"), "/asked\n");
  rmSync(join(folder, "ca.pem"));
  assert.match(await ask("ca.pem"), /certificate/);
  assert.equal(await ask("ca.pem", true), "/asked\n");
});
