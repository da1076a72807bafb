import assert from "node:assert/strict";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { connect, createServer, type TLSSocket } from "node:tls";
import { type CertificateAndKey, issueCertificate } from "../pki/issue-certificate.js";
import { identifyCallers } from "./caller-certificates.js";
import { peerCertificateOf } from "./peer-certificate.js";

/** Some releases of Node 24 and 26 show a server nothing but the certificate itself: https://github.com/nodejs/node/issues/65579. */
const mayHideIntermediates = Number.parseInt(process.versions.node, 10) >= 24;

test("who comes by an intermediate authority stays known, however often and by whom the certificate is looked at", async () => {
  const validity = { notBefore: new Date(Date.now() - 60_000), notAfter: new Date(Date.now() + 3_600_000) };
  const authority = (commonName: string) =>
    issueCertificate({ subject: { kind: "authority", commonName }, ...validity });
  const [root, other] = await Promise.all([authority("root"), authority("other")]);
  const between = await issueIntermediate(root, validity);
  const server = { kind: "server", commonName: "server", dnsNames: ["localhost"], ipAddresses: [] } as const;
  const serving = await issueCertificate({ subject: server, issuer: root, ...validity });
  const client = { kind: "client", user: "jane", groups: ["a"] } as const;
  const shown = await issueCertificate({ subject: client, issuer: between, ...validity });

  const ca = [root.certificatePem, other.certificatePem];
  const listening = createServer({
    cert: serving.certificatePem,
    key: serving.keyPem,
    ca,
    requestCert: true,
    rejectUnauthorized: false,
  });
  listening.listen(0, "127.0.0.1");
  await once(listening, "listening");
  const { port } = listening.address() as AddressInfo;
  const cert = shown.certificatePem + between.certificatePem;
  const calling = connect({
    host: "127.0.0.1",
    port,
    servername: "localhost",
    ca: root.certificatePem,
    cert,
    key: shown.keyPem,
  });
  const [socket] = (await once(listening, "secureConnection")) as [TLSSocket];
  try {
    let trusted = other.certificatePem;
    const identify = identifyCallers(() => trusted);
    assert.equal((await identify(socket)).outcome, "rejected");
    trusted = root.certificatePem;
    if (mayHideIntermediates && peerCertificateOf(socket)?.issuerCertificate === undefined) {
      assert.equal(
        (await identify(socket)).outcome,
        "rejected",
        "what cannot be followed to an authority is not trusted",
      );
      return;
    }
    assert.deepEqual(await identify(socket), { outcome: "trusted", commonName: "jane", organizations: ["a"] });
    const another = identifyCallers(() => root.certificatePem + other.certificatePem);
    assert.equal((await another(socket)).outcome, "trusted");
  } finally {
    calling.destroy();
    listening.close();
  }
});

interface Validity {
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/** An authority that another one has signed; what issues certificates here makes none. */
async function issueIntermediate(issuer: CertificateAndKey, validity: Validity): Promise<CertificateAndKey> {
  // The library looks for this polyfill when it is loaded.
  await import("reflect-metadata");
  const x509 = await import("@peculiar/x509");
  const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const [keys, issuerKey] = await Promise.all([
    crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]),
    crypto.subtle.importKey("pkcs8", x509.PemConverter.decodeFirst(issuer.keyPem), algorithm, false, ["sign"]),
  ]);
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: "02",
    subject: "CN=between",
    issuer: new x509.X509Certificate(issuer.certificatePem).subject,
    ...validity,
    signingAlgorithm: algorithm,
    publicKey: keys.publicKey,
    signingKey: issuerKey,
    extensions: [new x509.BasicConstraintsExtension(true, undefined, true)],
  });
  const key = await crypto.subtle.exportKey("pkcs8", keys.privateKey);
  return {
    certificatePem: `${certificate.toString("pem")}\n`,
    keyPem: x509.PemConverter.encode(key, "PRIVATE KEY"),
  };
}
