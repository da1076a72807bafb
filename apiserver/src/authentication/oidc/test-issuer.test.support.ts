import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { issueCertificate } from "@gatehouse/component-base/pki";
import { CompactSign, exportJWK, type JWK } from "jose";

/** An answer of the issuer. */
export interface Page {
  readonly status: number;
  readonly body: string;
  readonly location?: string;
}

/** An issuer of identity tokens on 127.0.0.1, as a test wants it to be. */
export interface TestIssuer extends AsyncDisposable {
  readonly url: string;
  readonly certificateAuthorityPem: string;
  /** The key set at `/keys`; tests change it. */
  keys: JWK[];
  /** Private keys by the id of the public ones that are published at first. */
  readonly privateKeys: ReadonlyMap<string, KeyObject>;
  /** Answers at other paths. */
  readonly pages: Map<string, Page>;
  /** Returns the number of requests for a path. */
  asked(path: string): number;
  /** Signs claims; with the key `rsa` unless the header says otherwise. */
  sign(claims: object | string, header?: object, key?: KeyObject | Uint8Array): Promise<string>;
}

/** Starts an issuer; `port` 0 picks a free one. */
export async function startTestIssuer(port = 0): Promise<TestIssuer> {
  const dayMs = 24 * 60 * 60 * 1000;
  const validity = { notBefore: new Date(Date.now() - dayMs), notAfter: new Date(Date.now() + dayMs) };
  const ca = await issueCertificate({ subject: { kind: "authority", commonName: "issuer-ca" }, ...validity });
  const serving = await issueCertificate({
    subject: { kind: "server", commonName: "issuer", dnsNames: ["localhost"], ipAddresses: ["127.0.0.1"] },
    issuer: ca,
    ...validity,
  });
  const privateKeys = new Map<string, KeyObject>([
    ["rsa", generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey],
    ["rsa-2", generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey],
    ["p256", generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey],
    ["p384", generateKeyPairSync("ec", { namedCurve: "P-384" }).privateKey],
    ["p521", generateKeyPairSync("ec", { namedCurve: "P-521" }).privateKey],
  ]);
  const pages = new Map<string, Page>();
  const counts = new Map<string, number>();
  const server = createServer({ cert: serving.certificatePem, key: serving.keyPem }, (request, response) => {
    const path = request.url ?? "";
    counts.set(path, (counts.get(path) ?? 0) + 1);
    const page: Page = pages.get(path) ??
      {
        "/.well-known/openid-configuration": {
          status: 200,
          body: JSON.stringify({ issuer: url, jwks_uri: `${url}/keys` }),
        },
        "/keys": { status: 200, body: JSON.stringify({ keys: issuer.keys }) },
      }[path] ?? { status: 404, body: "nothing here" };
    const headers = page.location === undefined ? {} : { location: page.location };
    response.writeHead(page.status, { "content-type": "application/json", ...headers }).end(page.body);
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const keys = await Promise.all(Array.from(privateKeys, async ([kid, key]) => ({ ...(await publicJwk(key)), kid })));
  const issuer: TestIssuer = {
    url,
    certificateAuthorityPem: ca.certificatePem,
    keys,
    privateKeys,
    pages,
    asked: (path) => counts.get(path) ?? 0,
    sign: (claims, header = {}, key = privateKeys.get("rsa") as KeyObject) =>
      new CompactSign(Buffer.from(typeof claims === "string" ? claims : JSON.stringify(claims)))
        .setProtectedHeader({ alg: "RS256", kid: "rsa", ...header })
        .sign(key),
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
  return issuer;
}

/** The public part of a key, as issuers publish it. */
export async function publicJwk(key: KeyObject): Promise<JWK> {
  const { d: _d, p: _p, q: _q, dp: _dp, dq: _dq, qi: _qi, ...jwk } = await exportJWK(key);
  return { ...jwk, use: "sig" };
}
