import { createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { issueCertificate } from "@gatehouse/component-base/pki";
import { CompactSign } from "jose";

/** An issuer on 127.0.0.1 that also answers RFC 7662 at `/introspect`, as a test wants it to be. */
export interface TestIssuer extends AsyncDisposable {
  readonly url: string;
  readonly certificateAuthorityPem: string;
  /** Identifiers of the published keys. */
  readonly published: Set<string>;
  /** Answers of `/introspect` by opaque token. */
  readonly opaque: Map<string, object>;
  /** Credentials that `/introspect` wants. */
  readonly credentials: string;
  /** True to answer 503 to every request. */
  isDown: boolean;
  /** Returns the number of requests for a path. */
  asked(path: string): number;
  keyOf(id: string): KeyObject;
  /** Signs the claims of a valid token, with the given ones in their place. */
  sign(claims?: object, header?: object, key?: KeyObject | Uint8Array): Promise<string>;
}

/** Starts an issuer. */
export async function startTestIssuer(): Promise<TestIssuer> {
  const dayMs = 24 * 60 * 60 * 1000;
  const validity = { notBefore: new Date(Date.now() - dayMs), notAfter: new Date(Date.now() + dayMs) };
  const ca = await issueCertificate({ subject: { kind: "authority", commonName: "issuer-ca" }, ...validity });
  const serving = await issueCertificate({
    subject: { kind: "server", commonName: "issuer", dnsNames: [], ipAddresses: ["127.0.0.1"] },
    issuer: ca,
    ...validity,
  });
  const keys = new Map<string, KeyObject>();
  const counts = new Map<string, number>();
  const keyOf = (id: string): KeyObject => {
    const key = keys.get(id) ?? generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
    keys.set(id, key);
    return key;
  };
  const publicKeys = () =>
    [...issuer.published].map((kid) => ({ ...createPublicKey(keyOf(kid)).export({ format: "jwk" }), kid, use: "sig" }));
  const server = createServer({ cert: serving.certificatePem, key: serving.keyPem }, async (request, response) => {
    const path = request.url ?? "";
    counts.set(path, (counts.get(path) ?? 0) + 1);
    let body = "";
    for await (const piece of request) {
      body += piece;
    }
    const answer = (status: number, content: object) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(content));
    if (issuer.isDown) {
      answer(503, {});
    } else if (path === "/.well-known/openid-configuration") {
      answer(200, { issuer: url, jwks_uri: `${url}/keys` });
    } else if (path === "/keys") {
      answer(200, { keys: publicKeys() });
    } else if (path === "/introspect" && request.headers.authorization === issuer.credentials) {
      answer(200, issuer.opaque.get(new URLSearchParams(body).get("token") ?? "") ?? { active: false });
    } else {
      answer(401, {});
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const issuer: TestIssuer = {
    url,
    certificateAuthorityPem: ca.certificatePem,
    published: new Set(["a"]),
    opaque: new Map(),
    credentials: `Basic ${Buffer.from("re%3Aviewer:se%2Bcret").toString("base64")}`,
    isDown: false,
    asked: (path) => counts.get(path) ?? 0,
    keyOf,
    sign(claims = {}, header = {}, key = keyOf("a")) {
      const now = Math.floor(Date.now() / 1000);
      const content = { iss: url, aud: "kubectl", sub: "jane", exp: now + 600, ...claims };
      return new CompactSign(Buffer.from(JSON.stringify(content)))
        .setProtectedHeader({ alg: "ES256", kid: "a", ...header })
        .sign(key);
    },
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
  return issuer;
}
