import { createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { oddTokenCases } from "./odd-token-cases.test.support.js";
import type { TestIssuer } from "./test-issuer.test.support.js";

/**
 * Flag sets of an API server about the issuer, without `--oidc-`; the issuer, its authority and the client id `api` are
 * added.
 */
export const oidcFlagSets = {
  plain: { "groups-claim": "groups" },
  odd: { "groups-claim": "groups" },
  mapped: {
    "username-claim": "email",
    "groups-claim": "roles",
    "groups-prefix": "oidc:",
    "required-claim": ["hd=example.com", "tier=a,b"],
    "signing-algs": "RS256,RS384,RS512,ES256,ES384,ES512,PS256,PS384,PS512",
  },
  bare: { "username-claim": "name", "username-prefix": "-", "groups-claim": "groups", "groups-prefix": "g:" },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;

export type OidcFlagSet = keyof typeof oidcFlagSets;

type Members = Readonly<Record<string, unknown>>;

/** Identity tokens by what is particular about each, for one set of flags. */
export async function oidcTokenCases(
  set: OidcFlagSet,
  issuer: TestIssuer,
  foreignIssuer: TestIssuer,
  now: number,
): Promise<ReadonlyMap<string, string>> {
  const makers = { plain: plainCases, odd: oddCases, mapped: mappedCases, bare: bareCases } as const;
  const cases = await makers[set](issuer, foreignIssuer, now);
  const tokens = await Promise.all(Object.entries(cases).map(async ([name, token]) => [name, await token] as const));
  return new Map(tokens);
}

type Cases = Readonly<Record<string, Promise<string> | string>>;

function baseClaims(issuer: TestIssuer, now: number): Members {
  return { iss: issuer.url, aud: "api", sub: "jane", exp: now + 3600, iat: now };
}

const base64 = (part: unknown): string => Buffer.from(JSON.stringify(part)).toString("base64url");

async function plainCases(issuer: TestIssuer, foreign: TestIssuer, now: number): Promise<Cases> {
  const key = (kid: string) => issuer.privateKeys.get(kid) as KeyObject;
  const claims = (more: Members = {}): Members => ({ ...baseClaims(issuer, now), ...more });
  const sign = (more: Members = {}, header: object = {}, by?: KeyObject | Uint8Array) =>
    issuer.sign(claims(more), header, by);
  const text = JSON.stringify(claims());
  const good = await sign();
  const publicPem = createPublicKey(key("rsa")).export({ type: "spki", format: "pem" });
  const strange = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
  const jwk = createPublicKey(strange).export({ format: "jwk" });
  return {
    good,
    // Algorithms: only RS256 is allowed here.
    "alg none": `${base64({ alg: "none" })}.${base64(claims())}.`,
    "alg none with signature": `${base64({ alg: "none", kid: "rsa" })}.${base64(claims())}.AAAA`,
    "alg None": `${base64({ alg: "None", kid: "rsa" })}.${base64(claims())}.AAAA`,
    "alg missing": `${base64({ kid: "rsa" })}.${base64(claims())}.AAAA`,
    "alg HS256 with the public key": sign({}, { alg: "HS256" }, Buffer.from(publicPem)),
    "alg RS384": sign({}, { alg: "RS384" }),
    "alg RS512": sign({}, { alg: "RS512" }),
    "alg PS256": sign({}, { alg: "PS256" }),
    "alg ES256": sign({}, { alg: "ES256", kid: "p256" }, key("p256")),
    "alg ES384": sign({}, { alg: "ES384", kid: "p384" }, key("p384")),
    "alg rs256 in lower case": `${base64({ alg: "rs256", kid: "rsa" })}.${good.split(".")[1]}.${good.split(".")[2]}`,
    // Keys.
    "kid missing": sign({}, { kid: undefined }),
    "kid empty": sign({}, { kid: "" }),
    "kid of another key": sign({}, { kid: "rsa-2" }),
    "second key": sign({}, { kid: "rsa-2" }, key("rsa-2")),
    "second key without kid": sign({}, { kid: undefined }, key("rsa-2")),
    "kid unknown": sign({}, { kid: "nope" }),
    "kid of an EC key": sign({}, { kid: "p256" }),
    "kid as path": sign({}, { kid: "../../../../dev/null" }),
    "kid as SQL": sign({}, { kid: "' OR 1=1 --" }),
    "kid as URL": sign({}, { kid: `${foreign.url}/keys` }),
    "kid in another case": sign({}, { kid: "RSA" }),
    "strange key": sign({}, {}, strange),
    "strange key without kid": sign({}, { kid: undefined }, strange),
    "strange key in jwk": sign({}, { kid: undefined, jwk }, strange),
    "strange key behind jku": sign({}, { kid: "foreign", jku: `${foreign.url}/keys` }, strange),
    "strange key behind x5u": sign({}, { x5u: `${foreign.url}/cert` }, strange),
    "strange key in x5c": sign({}, { x5c: ["AAAA"] }, strange),
    "key of another issuer": sign({}, {}, foreign.privateKeys.get("rsa")),
    "signature cut": good.slice(0, -10),
    "signature empty": good.replace(/[^.]*$/, ""),
    "signature changed": `${good.slice(0, -6)}AAAAAA`,
    "payload changed": [good.split(".")[0], base64(claims({ sub: "admin" })), good.split(".")[2]].join("."),
    // Issuers.
    "issuer with a slash": sign({ iss: `${issuer.url}/` }),
    "issuer in capitals": sign({ iss: issuer.url.toUpperCase() }),
    "issuer without a scheme": sign({ iss: issuer.url.slice("https://".length) }),
    "issuer missing": sign({ iss: undefined }),
    "issuer a number": sign({ iss: 1 }),
    "issuer a list": sign({ iss: [issuer.url] }),
    "issuer another one": foreign.sign({ ...claims(), iss: foreign.url }),
    "issuer twice, first ours": issuer.sign(text.replace('"aud"', '"iss":"https://other","aud"')),
    "issuer twice, last ours": issuer.sign(text.replace("{", '{"iss":"https://other",')),
    "issuer by another name": issuer.sign(text.replace('"iss"', '"Iss"')),
    // Audiences.
    "audience another": sign({ aud: "web" }),
    "audience missing": sign({ aud: undefined }),
    "audience null": sign({ aud: null }),
    "audience empty": sign({ aud: "" }),
    "audience list": sign({ aud: ["api"] }),
    "audience list with ours second": sign({ aud: ["web", "api"] }),
    "audience list without ours": sign({ aud: ["web", "cli"] }),
    "audience empty list": sign({ aud: [] }),
    "audience number": sign({ aud: 1 }),
    "audience list with a number": sign({ aud: ["api", 1] }),
    "audience object": sign({ aud: { api: true } }),
    "audience in capitals": sign({ aud: "API" }),
    "audience with a space": sign({ aud: "api " }),
    "authorized party": sign({ aud: ["api", "web"], azp: "web" }),
    // Times.
    "expired an hour ago": sign({ exp: now - 3600 }),
    "expired five seconds ago": sign({ exp: now - 5 }),
    "expires as text": sign({ exp: String(now + 3600) }),
    "expires as words": sign({ exp: "tomorrow" }),
    "expires as a fraction": sign({ exp: now + 3600.75 }),
    "expires never said": sign({ exp: undefined }),
    "expires null": sign({ exp: null }),
    "expires a list": sign({ exp: [now + 3600] }),
    "expires in exponents": issuer.sign(text.replace(/"exp":\d+/, '"exp":1e11')),
    "expires negative": sign({ exp: -1 }),
    "not before in 30 s": sign({ nbf: now + 30 }),
    "not before in two minutes": sign({ nbf: now + 120 }),
    "not before long ago": sign({ nbf: 1 }),
    "not before as words": sign({ nbf: "soon" }),
    "issued in the future": sign({ iat: now + 3600 }),
    "issued as words": sign({ iat: "now" }),
    "issued never": sign({ iat: undefined }),
    // Names.
    "subject missing": sign({ sub: undefined }),
    "subject null": sign({ sub: null }),
    "subject empty": sign({ sub: "" }),
    "subject number": sign({ sub: 7 }),
    "subject list": sign({ sub: ["jane"] }),
    "subject of the system": sign({ sub: "system:masters" }),
    "subject with markup": sign({ sub: "<b>jane</b>\n" }),
    "subject in another language": sign({ sub: "jürgen 🔑" }),
    "nonce number": sign({ nonce: 1 }),
    // Groups.
    "groups list": sign({ groups: ["a", "b"] }),
    "groups text": sign({ groups: "a" }),
    "groups empty list": sign({ groups: [] }),
    "groups null": sign({ groups: null }),
    "groups number": sign({ groups: 1 }),
    "groups list with a number": sign({ groups: ["a", 1] }),
    "groups list with null": sign({ groups: ["a", null] }),
    "groups object": sign({ groups: { a: true } }),
    "groups true": sign({ groups: true }),
    "groups of the system": sign({ groups: ["system:masters", "system:authenticated"] }),
    "groups twice": sign({ groups: ["a", "a"] }),
    "groups by another name": sign({ Groups: ["a"] }),
    ...(await distributedCases(issuer, foreign, claims)),
    // Shapes.
    "two parts": good.split(".").slice(0, 2).join("."),
    "four parts": `${good}.x`,
    "no token": "garbage",
    "payload no JSON": issuer.sign("not json"),
    "payload a list": issuer.sign("[]"),
    "header no JSON": `${Buffer.from("x").toString("base64url")}.${good.split(".")[1]}.${good.split(".")[2]}`,
    "header unknown members": sign({}, { typ: "at+jwt", cty: "JWT", zip: "no" }),
    "crit unknown": `${base64({ alg: "RS256", kid: "rsa", crit: ["exp"] })}.${good.split(".")[1]}.${good.split(".")[2]}`,
    "padding in the payload": `${good.split(".")[0]}.${good.split(".")[1]}=.${good.split(".")[2]}`,
  };
}

async function oddCases(issuer: TestIssuer, _foreign: TestIssuer, now: number): Promise<Cases> {
  return oddTokenCases(issuer, baseClaims(issuer, now));
}

/** Claims that are elsewhere: at the issuer itself, and signed by it, unless the name says otherwise. */
async function distributedCases(
  issuer: TestIssuer,
  foreign: TestIssuer,
  claims: (more?: Members) => Members,
): Promise<Cases> {
  const at = (path: string, source: TestIssuer = issuer, more: Members = {}): Members => ({
    _claim_names: { groups: "src" },
    _claim_sources: { src: { endpoint: `${source.url}${path}`, access_token: "secret", ...more } },
  });
  const page = async (path: string, body: Promise<string> | string, status = 200) =>
    issuer.pages.set(path, { status, body: await body });
  await page("/groups", issuer.sign(claims({ groups: ["far", "away"] })));
  await page("/text", issuer.sign(claims({ groups: "far" })));
  await page("/none", issuer.sign(claims()));
  await page("/expired", issuer.sign(claims({ groups: ["far"], exp: 1 })));
  await page("/other-audience", issuer.sign(claims({ groups: ["far"], aud: "web" })));
  await page("/forged", issuer.sign(claims({ groups: ["far"] }), {}, foreign.privateKeys.get("rsa") as KeyObject));
  await page("/error", "broken", 500);
  await page("/forbidden", "no", 403);
  await page("/garbage", "garbage");
  const sign = (more: Members) => issuer.sign(claims(more));
  return {
    "distributed groups": sign(at("/groups")),
    "distributed groups as text": sign(at("/text")),
    "distributed groups beside plain ones": sign({ ...at("/groups"), groups: ["near"] }),
    "distributed claim not in the answer": sign(at("/none")),
    "distributed answer expired": sign(at("/expired")),
    "distributed answer for others": sign(at("/other-audience")),
    "distributed answer forged": sign(at("/forged")),
    "distributed endpoint fails": sign(at("/error")),
    "distributed endpoint forbids": sign(at("/forbidden")),
    "distributed endpoint not there": sign(at("/missing")),
    "distributed answer no token": sign(at("/garbage")),
    "distributed without sources": sign({ _claim_names: { groups: "src" } }),
    "distributed with an unknown source": sign({ ...at("/groups"), _claim_sources: { other: {} } }),
    "distributed of another claim": sign({ ...at("/groups"), _claim_names: { roles: "src" } }),
    "distributed source empty": sign({ ...at("/groups"), _claim_names: { groups: "" } }),
    "distributed source without endpoint": sign({
      _claim_names: { groups: "src" },
      _claim_sources: { src: { JWT: "x" } },
    }),
    "distributed names a list": sign({ ...at("/groups"), _claim_names: ["groups"] }),
  };
}

async function mappedCases(issuer: TestIssuer, _foreign: TestIssuer, now: number): Promise<Cases> {
  const key = (kid: string) => issuer.privateKeys.get(kid) as KeyObject;
  const sign = (more: Members = {}, header: object = {}, by?: KeyObject) =>
    issuer.sign(
      { ...baseClaims(issuer, now), email: "jane@example.com", hd: "example.com", tier: "a,b", ...more },
      header,
      by,
    );
  return {
    good: sign(),
    "email verified": sign({ email_verified: true }),
    "email not verified": sign({ email_verified: false }),
    "email verified as text": sign({ email_verified: "true" }),
    "email verified null": sign({ email_verified: null }),
    "email verified number": sign({ email_verified: 1 }),
    "email missing": sign({ email: undefined }),
    "email number": sign({ email: 1 }),
    "required claim missing": sign({ hd: undefined }),
    "required claim another": sign({ hd: "evil.com" }),
    "required claim number": sign({ hd: 1 }),
    "required claim list": sign({ hd: ["example.com"] }),
    "required claim with a comma": sign({ tier: "a" }),
    "required claim null": sign({ hd: null }),
    "groups prefixed": sign({ roles: ["admin", "dev"] }),
    "groups text prefixed": sign({ roles: "admin" }),
    "groups of another claim": sign({ groups: ["admin"] }),
    RS384: sign({}, { alg: "RS384" }),
    RS512: sign({}, { alg: "RS512" }),
    PS256: sign({}, { alg: "PS256" }),
    PS384: sign({}, { alg: "PS384" }),
    PS512: sign({}, { alg: "PS512" }),
    ES256: sign({}, { alg: "ES256", kid: "p256" }, key("p256")),
    ES384: sign({}, { alg: "ES384", kid: "p384" }, key("p384")),
    ES512: sign({}, { alg: "ES512", kid: "p521" }, key("p521")),
    "ES256 with the kid of another curve": sign({}, { alg: "ES256", kid: "p384" }, key("p256")),
  };
}

async function bareCases(issuer: TestIssuer, _foreign: TestIssuer, now: number): Promise<Cases> {
  const sign = (more: Members = {}) => issuer.sign({ ...baseClaims(issuer, now), name: "jane", ...more });
  return {
    good: sign(),
    "name of the system": sign({ name: "system:admin" }),
    "name missing": sign({ name: undefined }),
    "groups prefixed": sign({ groups: ["a", ""] }),
    "email does not matter": sign({ email: "x", email_verified: false }),
  };
}
