import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { type CryptoKey, exportJWK, exportSPKI, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from "jose";
import { CredentialError } from "../plugin/credential-error.js";
import type { ProviderFetch } from "./provider-fetch.js";
import { type IdTokenExpectations, verifyIdToken } from "./verify-id-token.js";

const issuer = "https://issuer.example.com";
const now = Math.floor(Date.now() / 1000);
const good: JWTPayload = { iss: issuer, aud: "kubectl", sub: "alice", iat: now, exp: now + 600, nonce: "n" };

let keys: { readonly privateKey: CryptoKey; readonly publicKey: CryptoKey };
let foreign: CryptoKey;
let fetchKeys: ProviderFetch;
before(async () => {
  keys = await generateKeyPair("RS256", { extractable: true });
  foreign = (await generateKeyPair("RS256")).privateKey;
  const jwks = JSON.stringify({ keys: [{ ...(await exportJWK(keys.publicKey)), kid: "k", alg: "RS256", use: "sig" }] });
  fetchKeys = async () => new Response(jwks, { status: 200, headers: { "content-type": "application/json" } });
});

const sign = (claims: JWTPayload, key: CryptoKey | Uint8Array = keys.privateKey, alg = "RS256"): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg, kid: "k" }).sign(key);

const verify = (token: string, more: Partial<IdTokenExpectations> = {}) =>
  verifyIdToken(
    token,
    {
      issuer,
      clientId: "kubectl",
      jwksUri: `${issuer}/keys`,
      algorithms: ["RS256", "HS256", "none"],
      nonce: "n",
      ...more,
    },
    fetchKeys,
  );

describe("an ID token", () => {
  test("that is as it should be is read", async () => {
    const { subject, expiresAt } = await verify(await sign(good));
    assert.deepEqual({ subject, expiresAt }, { subject: "alice", expiresAt: (now + 600) * 1000 });
    await verify(await sign({ ...good, aud: ["kubectl", "other"], azp: "kubectl" }));
  });

  const { exp: _, ...endless } = good;
  const { sub: __, ...nobody } = good;
  const { nonce: ___, ...withoutNonce } = good;
  const refused: readonly [string, () => Promise<string>, Partial<IdTokenExpectations>, string][] = [
    ["signed by somebody else", () => sign(good, foreign), {}, "signature verification failed"],
    [
      "without a signature",
      async () => new UnsecuredJWT(good).encode(),
      {},
      '"alg" (Algorithm) Header Parameter value not allowed',
    ],
    [
      "signed with the public key as a secret",
      async () => sign(good, new TextEncoder().encode(await exportSPKI(keys.publicKey)), "HS256"),
      {},
      '"alg" (Algorithm) Header Parameter value not allowed',
    ],
    ["of another issuer", () => sign({ ...good, iss: `${issuer}/` }), {}, 'unexpected "iss" claim value'],
    ["for another audience", () => sign({ ...good, aud: "other" }), {}, 'unexpected "aud" claim value'],
    ["that has ended", () => sign({ ...good, exp: now - 120 }), {}, '"exp" claim timestamp check failed'],
    ["that never ends", () => sign(endless), {}, 'missing required "exp" claim'],
    ["of nobody", () => sign(nobody), {}, "it names no subject"],
    ["of another login", () => sign({ ...good, nonce: "m" }), {}, "it does not belong to this login (nonce)"],
    ["of no login", () => sign(withoutNonce), {}, "it does not belong to this login (nonce)"],
    [
      "made for another client",
      () => sign({ ...good, aud: ["kubectl", "other"], azp: "other" }),
      {},
      "it was made for several audiences and another client (azp)",
    ],
    [
      "refreshed to somebody else",
      () => sign(good),
      { subject: "bob" },
      "the provider has made somebody else of the one who was logged in (sub)",
    ],
    ["that is none", async () => "a.b", {}, "Invalid Compact JWS"],
  ];
  for (const [what, token, more, why] of refused) {
    test(`${what} is refused`, async () => {
      const error = new CredentialError(`the ID token of the provider is not valid: ${why}`);
      await assert.rejects(verify(await token(), more), error);
    });
  }
});
