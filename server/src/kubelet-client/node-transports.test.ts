import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { TLSSocket } from "node:tls";
import { recipientOf, type Transport } from "@gatehouse/apiserver/reverse-proxy";
import { type CertificateAndKey, type CertificateSubject, issueCertificate } from "@gatehouse/component-base/pki";
import type { NodeCallsConfig } from "../options/kubelet.js";
import { type NodeTransports, openNodeTransports } from "./node-transports.js";

const hourMs = 60 * 60 * 1000;
const now = Date.now();
const lifetime = { notBefore: new Date(now - hourMs), notAfter: new Date(now + hourMs) };
const authoritySubject: CertificateSubject = { kind: "authority", commonName: "ca" };

let folder: string;
let authority: CertificateAndKey;
let kubelet: Server;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatehouse-nodes-"));
  authority = await issueCertificate({ subject: authoritySubject, ...lifetime });
  const serving = await issueCertificate({
    subject: { kind: "server", commonName: "node", dnsNames: [], ipAddresses: ["127.0.0.1"] },
    issuer: authority,
    ...lifetime,
  });
  const client = await issueCertificate({
    subject: { kind: "client", user: "apiserver", groups: [] },
    issuer: authority,
    ...lifetime,
  });
  await writeFile(join(folder, "client.crt"), client.certificatePem);
  await writeFile(join(folder, "client.key"), client.keyPem, { mode: 0o600 });
  await writeFile(join(folder, "ca.crt"), authority.certificatePem);
  const stranger = await issueCertificate({ subject: authoritySubject, ...lifetime });
  await writeFile(join(folder, "stranger.crt"), stranger.certificatePem);
  kubelet = createServer(
    { cert: serving.certificatePem, key: serving.keyPem, requestCert: true, rejectUnauthorized: false },
    (request, response) => response.end((request.socket as TLSSocket).getPeerCertificate().subject?.CN ?? "nobody"),
  );
  kubelet.listen(0, "127.0.0.1");
  await once(kubelet, "listening");
});

after(async () => {
  kubelet.closeAllConnections();
  kubelet.close();
  await rm(folder, { recursive: true });
});

function open(authorityFile: string | undefined): NodeTransports {
  const config: NodeCallsConfig = {
    authorityFile: authorityFile === undefined ? undefined : join(folder, authorityFile),
    clientFiles: { certFile: join(folder, "client.crt"), keyFile: join(folder, "client.key") },
    addressTypes: [],
    port: 10250,
    dialTimeoutMs: 5000,
    egressFile: undefined,
  };
  return openNodeTransports(config, undefined);
}

async function callerAt(transport: Transport): Promise<string> {
  const { port } = kubelet.address() as AddressInfo;
  const backend = { scheme: "https", host: "127.0.0.1", port } as const;
  const recipient = recipientOf(new AbortController().signal);
  const { content } = await transport.send(backend, { method: "GET", target: "/", fields: ["Host", "x"], recipient });
  let text = "";
  for await (const piece of content.body) {
    text += String(piece);
  }
  return text;
}

describe("Calls of nodes", () => {
  it("show the client certificate to kubelets whose certificate is of the configured authority", async () => {
    using transports = open("ca.crt");
    assert.equal(await callerAt(transports.kubelet), "apiserver");
  });

  it("refuse a kubelet whose certificate is of another authority, unless the client asks for any", async () => {
    using transports = open("stranger.crt");
    await assert.rejects(callerAt(transports.kubelet), /certificate is not trusted/);
    assert.equal(await callerAt(transports.insecureKubelet), "apiserver");
  });

  it("take any certificate where no authority is configured, as in v1.29", async () => {
    using transports = open(undefined);
    assert.equal(await callerAt(transports.kubelet), "apiserver");
  });

  it("show no certificate to anything but kubelets", async () => {
    using transports = open("ca.crt");
    assert.equal(await callerAt(transports.proxy), "nobody");
  });
});
