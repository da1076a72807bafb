import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { on, once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { type ConnectionOptions, connect, type TLSSocket } from "node:tls";
import { type CertificateAndKey, issueCertificate } from "../pki/issue-certificate.js";
import { identifyCallers } from "./caller-certificates.js";
import { type AskForCertificate, type HttpsServing, openHttpsServing } from "./https-serving.js";
import { isTrustedBy } from "./is-trusted-by.js";

const folder = mkdtempSync(join(tmpdir(), "gatehouse-https-serving-"));
after(() => rmSync(folder, { recursive: true }));
const now = Date.now();
const validity = { notBefore: new Date(now - 3_600_000), notAfter: new Date(now + 3_600_000) };
const authority = (commonName: string) => issueCertificate({ subject: { kind: "authority", commonName }, ...validity });
const caller = (issuer: CertificateAndKey, user: string) =>
  issueCertificate({ subject: { kind: "client", user, groups: ["system:masters", "b"] }, issuer, ...validity });

const [first, second] = await Promise.all([authority("first"), authority("second")]);
const serving = await issueCertificate({
  subject: { kind: "server", commonName: "s", dnsNames: ["localhost"], ipAddresses: [] },
  issuer: first,
  ...validity,
});
const [jane, mary] = await Promise.all([caller(first, "jane"), caller(second, "mary")]);
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

/** The last byte of a certificate belongs to its signature. */
function withWrongSignature({ certificatePem, keyPem }: CertificateAndKey): CertificateAndKey {
  const { raw } = new X509Certificate(certificatePem);
  raw.writeUInt8(raw.readUInt8(raw.length - 1) ^ 1, raw.length - 1);
  const lines = ["-----BEGIN CERTIFICATE-----", raw.toString("base64"), "-----END CERTIFICATE-----", ""];
  return { certificatePem: lines.join("\n"), keyPem };
}

/** A server that tells each request who it comes from. */
async function withServer(
  askForCertificate: AskForCertificate,
  use: (
    open: (who?: CertificateAndKey, more?: ConnectionOptions) => Promise<TLSSocket>,
    serving: HttpsServing,
  ) => Promise<void>,
): Promise<void> {
  using https = await openHttpsServing({
    certFile: file("tls.crt", serving.certificatePem),
    keyFile: file("tls.key", serving.keyPem),
    ...(askForCertificate === "none" ? {} : { callerCaFile: file("ca.crt", first.certificatePem), askForCertificate }),
  });
  const server: Server = createServer(https.options, async (request, response) => {
    response.end(`${JSON.stringify(await https.identifyCaller(request.socket as TLSSocket))}\n`);
  });
  https.attach(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const sockets: TLSSocket[] = [];
  try {
    await use(async (who, more) => {
      const identity = who === undefined ? {} : { cert: who.certificatePem, key: who.keyPem };
      const socket = connect({
        port,
        host: "127.0.0.1",
        servername: "localhost",
        ca: first.certificatePem,
        ...identity,
        ...more,
      });
      sockets.push(socket);
      await once(socket, "secureConnect");
      return socket;
    }, https);
  } finally {
    for (const socket of sockets) {
      socket.destroy();
    }
    server.close();
    server.closeAllConnections();
  }
}

async function ask(socket: TLSSocket): Promise<unknown> {
  socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  let text = "";
  for await (const [chunk] of on(socket, "data", { close: ["close"] })) {
    text += String(chunk);
    if (text.includes("}\n")) {
      break;
    }
  }
  assert.notEqual(text, "", "the connection was closed");
  return JSON.parse(
    text
      .slice(text.indexOf("\r\n\r\n") + 4)
      .replace(/^[0-9a-f]+\r\n/, "")
      .split("\n")[0] ?? "",
  );
}

const trusted = (commonName: string) => ({ outcome: "trusted", commonName, organizations: ["system:masters", "b"] });
const unknown = { outcome: "rejected", reason: "the certificate is signed by an unknown authority" };

describe("A server that asks callers for certificates", () => {
  for (const maxVersion of ["TLSv1.2", "TLSv1.3"] as const) {
    test(`answers a caller whose certificate has a wrong signature, on a connection that stays (${maxVersion})`, async () => {
      await withServer("optional", async (open) => {
        const socket = await open(withWrongSignature(jane), { maxVersion });
        assert.deepEqual(await ask(socket), unknown);
        assert.deepEqual(await ask(socket), unknown);
      });
    });
  }

  test("knows those that its authorities have signed, and only those", async () => {
    await withServer("optional", async (open) => {
      assert.deepEqual(await ask(await open(jane)), trusted("jane"));
      assert.deepEqual(await ask(await open(mary)), unknown);
      assert.deepEqual(await ask(await open()), { outcome: "none" });
    });
  });

  test("lets nobody in without one where it is required", async () => {
    await withServer("required", async (open) => {
      assert.deepEqual(await ask(await open(jane)), trusted("jane"));
      for (const who of [undefined, mary]) {
        // With TLS 1.3 the client hears of it after its part of the handshake.
        await assert.rejects(async () => ask(await open(who)));
      }
    });
  });

  test("follows the file of authorities: connections stay open, but those that are trusted no more are told so", async () => {
    await withServer("optional", async (open, https) => {
      const [janes, marys] = [await open(jane), await open(mary)];
      assert.deepEqual(await ask(janes), trusted("jane"));
      assert.deepEqual(await ask(marys), unknown);

      file("ca.crt", first.certificatePem + second.certificatePem);
      assert.equal(await https.checkNow(), "reloaded");
      assert.deepEqual(await ask(janes), trusted("jane"));
      assert.deepEqual(await ask(await open(mary)), trusted("mary"));

      file("ca.crt", second.certificatePem);
      assert.equal(await https.checkNow(), "reloaded");
      assert.deepEqual(await ask(janes), unknown);
      assert.deepEqual(await ask(await open(jane)), unknown);
      assert.deepEqual(await ask(await open(mary)), trusted("mary"));
    });
  });

  test("resumes no session, of whatever version", async () => {
    for (const maxVersion of ["TLSv1.2", "TLSv1.3"] as const) {
      await withServer("optional", async (open, https) => {
        const before = await open(jane, { maxVersion });
        let session = before.getSession();
        before.on("session", (ticket) => {
          session = Buffer.from(ticket);
        });
        assert.deepEqual(await ask(before), trusted("jane"));
        file("ca.crt", second.certificatePem);
        assert.equal(await https.checkNow(), "reloaded");
        const after = await open(jane, { maxVersion, ...(session === undefined ? {} : { session }) });
        assert.equal(after.isSessionReused(), false);
        assert.deepEqual(await ask(after), unknown);
      });
    }
  });
});

test("a certificate that goes out of its time counts no more, on whatever connection", () => {
  const certificate = new X509Certificate(jane.certificatePem);
  const socket = {
    authorized: true,
    getPeerX509Certificate: () => certificate,
  } as unknown as TLSSocket;
  let time = now;
  const identify = identifyCallers(
    () => first.certificatePem,
    () => time,
  );
  const known = { outcome: "trusted", commonName: "jane", organizations: ["system:masters", "b"] };
  assert.deepEqual(identify(socket), known);
  time = validity.notAfter.getTime() + 1000;
  assert.deepEqual(identify(socket), { outcome: "rejected", reason: "the certificate has expired" });
  time = validity.notBefore.getTime() - 1000;
  assert.deepEqual(identify(socket), { outcome: "rejected", reason: "the certificate is not valid yet" });
});

test("a chain is followed over the certificates that are shown, as long as each is valid", async () => {
  const certificates = (...pems: CertificateAndKey[]) =>
    pems.map(({ certificatePem }) => new X509Certificate(certificatePem));
  const [root, other, leaf] = certificates(first, second, jane);
  assert.ok(root !== undefined && other !== undefined && leaf !== undefined);
  assert.equal(isTrustedBy([root], leaf, [], now), true);
  assert.equal(isTrustedBy([other], leaf, [], now), false);
  assert.equal(isTrustedBy([other], leaf, [root, leaf, other], now), false);
  assert.equal(isTrustedBy([leaf], leaf, [], now), true, "one that is named itself");
  assert.equal(isTrustedBy([leaf], root, [], now), false, "it is no authority, whatever it is named for");
  assert.equal(isTrustedBy([root], leaf, [], validity.notAfter.getTime() + 1000), false);
});
