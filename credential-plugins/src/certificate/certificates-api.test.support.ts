import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";
import { type CertificateAndKey, issueCertificate } from "@gatehouse/component-base/pki";

/** An API server that serves certificate signing requests and nothing else. */
export interface TestCertificatesApi extends AsyncDisposable {
  readonly url: string;
  readonly authority: CertificateAndKey;
  /** Requests, each with the user who sent it: `alice POST`. */
  readonly calls: string[];
  /** Bodies that were posted, as JSON. */
  readonly posted: Readonly<Record<string, unknown>>[];
  /** Users who may not ask. */
  readonly forbidden: Set<string>;
  /** Requests are made, and whoever asked never hears of it. */
  losesAnswers: boolean;
  /** Reaction to reading a certificate signing request. */
  onGet: "approve" | "deny" | "leave" | "delete";
  /** Validity of issued certificates, in milliseconds. */
  lifetimeMs: number;
  admin: CertificateAndKey;
}

const dayMs = 86_400_000;

/** Starts one, with an authority of its own that signs what is approved. */
export async function startTestCertificatesApi(): Promise<TestCertificatesApi> {
  const lifetime = { notBefore: new Date(Date.now() - dayMs), notAfter: new Date(Date.now() + dayMs) };
  const authority = await issueCertificate({ subject: { kind: "authority", commonName: "test-ca" }, ...lifetime });
  const subject = { kind: "server", commonName: "api", dnsNames: [], ipAddresses: ["127.0.0.1"] } as const;
  const serving = await issueCertificate({ subject, issuer: authority, ...lifetime });
  const admin = await issueCertificate({
    subject: { kind: "client", user: "admin", groups: [] },
    issuer: authority,
    ...lifetime,
  });
  const objects = new Map<string, { spec: { request: string }; status: object }>();
  const server = createServer({
    cert: serving.certificatePem,
    key: serving.keyPem,
    ca: authority.certificatePem,
    requestCert: true,
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const api: TestCertificatesApi = {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    authority,
    admin,
    calls: [],
    posted: [],
    forbidden: new Set(),
    losesAnswers: false,
    onGet: "approve",
    lifetimeMs: dayMs,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };

  async function answer(user: string, method: string, name: string, body: string): Promise<[number, object]> {
    if (api.forbidden.has(user)) {
      return [403, { kind: "Status", message: `User "${user}" cannot` }];
    }
    if (method === "POST") {
      const object = { ...JSON.parse(body), status: {} };
      api.posted.push(JSON.parse(body));
      objects.set(object.metadata.name, object);
      return [201, object];
    }
    const object = objects.get(name);
    if (object === undefined || api.onGet === "delete") {
      objects.delete(name);
      return [404, { kind: "Status", message: "not found" }];
    }
    if (api.onGet === "deny") {
      object.status = { conditions: [{ type: "Denied", reason: "No", message: "not today" }] };
    }
    if (api.onGet === "approve") {
      const certificate = await sign(Buffer.from(object.spec.request, "base64").toString(), authority, api.lifetimeMs);
      object.status = { conditions: [{ type: "Approved" }], certificate: Buffer.from(certificate).toString("base64") };
    }
    return [200, object];
  }

  server.on("request", (request, response) => {
    const user = String((request.socket as TLSSocket).getPeerCertificate().subject?.CN);
    api.calls.push(`${user} ${request.method}`);
    let body = "";
    request.setEncoding("utf8").on("data", (text) => {
      body += text;
    });
    request.on("end", async () => {
      const [status, content] = await answer(user, request.method ?? "", request.url?.split("/").at(-1) ?? "", body);
      if (api.losesAnswers) {
        request.socket.destroy();
      }
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(content));
    });
  });
  return api;
}

async function sign(requestPem: string, authority: CertificateAndKey, lifetimeMs: number): Promise<string> {
  await import("reflect-metadata");
  const x509 = await import("@peculiar/x509");
  const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const request = new x509.Pkcs10CertificateRequest(requestPem);
  const key = x509.PemConverter.decodeFirst(authority.keyPem);
  const certificate = await x509.X509CertificateGenerator.create({
    subject: request.subjectName,
    issuer: new x509.X509Certificate(authority.certificatePem).subjectName,
    publicKey: request.publicKey,
    signingKey: await crypto.subtle.importKey("pkcs8", key, algorithm, false, ["sign"]),
    signingAlgorithm: algorithm,
    notBefore: new Date(Date.now() - 1000),
    notAfter: new Date(Date.now() + lifetimeMs),
    extensions: [new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.clientAuth])],
  });
  return certificate.toString("pem");
}
