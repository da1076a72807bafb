import assert from "node:assert/strict";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { connect, type TLSSocket } from "node:tls";
import { createLogger } from "../logs/create-logger.js";
import { ensureCertificate } from "../pki/ensure-certificate.js";
import { openReloadingCertificates } from "./reloading-certificates.js";

const folder = mkdtempSync(join(tmpdir(), "gatehouse-tls-"));
after(() => rmSync(folder, { recursive: true }));
const files = (name: string) => ({ certFile: join(folder, `${name}.crt`), keyFile: join(folder, `${name}.key`) });

const ca = await ensureCertificate({ subject: { kind: "authority", commonName: "ca" }, ...files("ca") });
for (const name of ["first", "second"]) {
  await ensureCertificate({
    subject: { kind: "server", commonName: name, dnsNames: ["localhost"], ipAddresses: [] },
    issuer: ca,
    ...files(name),
  });
}

async function open(port: number): Promise<TLSSocket> {
  const socket = connect({ port, host: "127.0.0.1", servername: "localhost", ca: ca.certificatePem });
  await once(socket, "secureConnect");
  return socket;
}

test("new files are served to new connections, while open ones go on and broken files change nothing", async () => {
  const lines: string[] = [];
  const serving = files("serving");
  copyFileSync(files("first").certFile, serving.certFile);
  copyFileSync(files("first").keyFile, serving.keyFile);
  using certificates = await openReloadingCertificates({
    files: { ...serving, clientCaFile: files("ca").certFile },
    secureOptions: { minVersion: "TLSv1.2" as const },
    logger: createLogger({ name: "test", format: "text", write: (line) => lines.push(line) }),
  });
  const server = createServer(certificates.options, (_, response) => response.end("hello"));
  certificates.attach(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  try {
    const before = await open(port);
    assert.equal(before.getPeerCertificate().subject.CN, "first");
    assert.equal(await certificates.checkNow(), "unchanged");

    copyFileSync(files("second").certFile, serving.certFile);
    assert.equal(await certificates.checkNow(), "refused", "the key is not there yet");
    const during = await open(port);
    assert.equal(during.getPeerCertificate().subject.CN, "first");
    copyFileSync(files("second").keyFile, serving.keyFile);
    assert.equal(await certificates.checkNow(), "reloaded");
    const afterwards = await open(port);
    assert.equal(afterwards.getPeerCertificate().subject.CN, "second");

    before.write("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    const [answer] = await once(before, "data");
    assert.match(String(answer), /^HTTP\/1\.1 200 OK/);

    rmSync(serving.keyFile);
    assert.equal(await certificates.checkNow(), "refused");
    writeFileSync(serving.keyFile, "broken");
    assert.equal(await certificates.checkNow(), "refused");
    assert.equal(await certificates.checkNow(), "unchanged", "a broken file is complained about once");
    assert.equal(lines.filter((line) => line.includes("keeping the old one")).length, 3);
    for (const socket of [before, during, afterwards]) {
      socket.destroy();
    }
  } finally {
    server.close();
    server.closeAllConnections();
  }
});

test("files that cannot be used at the start are an error", async () => {
  await assert.rejects(openReloadingCertificates({ files: { certFile: "/no/such", keyFile: "/no/such" } }), {
    code: "ENOENT",
  });
  await assert.rejects(
    openReloadingCertificates({ files: { certFile: files("first").certFile, keyFile: files("second").keyFile } }),
    /key values mismatch/,
  );
});
