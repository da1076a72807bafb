import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, sign as signBytes } from "node:crypto";
import { CompactSign } from "jose";

/** Issuer of the tokens; the account is `default` in the namespace `default`. */
export interface CaseSource {
  /** An RSA key that the server knows. */
  readonly key: KeyObject;
  /** A key that it does not know, of the same sort. */
  readonly foreignKey: KeyObject;
  readonly issuer: string;
  readonly accountUid: string;
  /** Seconds since 1970. */
  readonly now: number;
}

type Members = Readonly<Record<string, unknown>>;

/** Tokens that say they are of a service account, by what is particular about each; replayed against recorded answers. */
export async function serviceAccountTokenCases(source: CaseSource): Promise<ReadonlyMap<string, string>> {
  const { key, foreignKey, issuer, accountUid: uid, now } = source;
  const kid = createHash("sha256")
    .update(createPublicKey(key).export({ type: "spki", format: "der" }))
    .digest("base64url");
  const sign = (claims: Members | string, header: Members = {}, by: KeyObject | Buffer = key): Promise<string> =>
    new CompactSign(Buffer.from(typeof claims === "string" ? claims : JSON.stringify(claims)))
      .setProtectedHeader({ alg: "RS256", kid, ...header })
      .sign(by);
  const claims = (more: Members = {}, own: Members = {}): Members => ({
    aud: [issuer],
    exp: now + 3600,
    iat: now,
    iss: issuer,
    nbf: now,
    sub: "system:serviceaccount:default:default",
    "kubernetes.io": { namespace: "default", serviceaccount: { name: "default", uid }, ...own },
    ...more,
  });
  const text = JSON.stringify(claims());
  const base64 = (part: unknown): string => Buffer.from(JSON.stringify(part)).toString("base64url");
  const ecKey = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
  const publicPem = createPublicKey(key).export({ type: "spki", format: "pem" });
  const jwk = createPublicKey(foreignKey).export({ format: "jwk" });
  const good = await sign(claims());
  /** Returns a token with equal claims, under a header that no library would write. */
  const withHeader = (token: string, header: string): string => {
    const input = `${Buffer.from(header).toString("base64url")}.${token.split(".")[1]}`;
    return `${input}.${signBytes("sha256", Buffer.from(input), key).toString("base64url")}`;
  };
  const legacy = (members: Members): Promise<string> => sign({ iss: "kubernetes/serviceaccount", ...members });
  const prefix = "kubernetes.io/serviceaccount/";
  const inNamespace = { sub: "system:serviceaccount:default:default", [`${prefix}namespace`]: "default" };
  const ofSecret = { ...inNamespace, [`${prefix}secret.name`]: "tok" };
  const ofAccount = { ...ofSecret, [`${prefix}service-account.name`]: "default" };
  const whole = { ...ofAccount, [`${prefix}service-account.uid`]: uid };
  const cases: Readonly<Record<string, string>> = {
    good,
    "no kid": await sign(claims(), { kid: undefined }),
    "other kid": await sign(claims(), { kid: "../../etc/passwd" }),
    "other key": await sign(claims(), {}, foreignKey),
    "EC key": await sign(claims(), { alg: "ES256" }, ecKey),
    PS256: await sign(claims(), { alg: "PS256" }),
    RS512: await sign(claims(), { alg: "RS512" }),
    none: `${base64({ alg: "none" })}.${base64(claims())}.`,
    "none sig": `${base64({ alg: "none" })}.${base64(claims())}.AAAA`,
    HS256: await sign(claims(), { alg: "HS256" }, Buffer.from(publicPem)),
    "jwk header": await sign(claims(), { jwk }, foreignKey),
    "jku header": await sign(claims(), { jku: "https://evil", x5u: "https://evil" }),
    expired: await sign(claims({ exp: now - 120 })),
    "expired 30 s ago": await sign(claims({ exp: now - 30 })),
    "not yet": await sign(claims({ nbf: now + 120 })),
    "not yet 30 s": await sign(claims({ nbf: now + 30 })),
    "issued in the future": await sign(claims({ iat: now + 120 })),
    "no exp": await sign(claims({ exp: undefined })),
    "wrong issuer": await sign(claims({ iss: `${issuer}/` })),
    "issuer case": await sign(claims({ iss: issuer.replace("k", "K") })),
    "wrong audience": await sign(claims({ aud: ["x"] })),
    "audience string": await sign(claims({ aud: issuer })),
    "audience number": await sign(claims({ aud: 1 })),
    "no audience": await sign(claims({ aud: undefined })),
    "two audiences": await sign(claims({ aud: ["x", issuer] })),
    "no private claims": await sign(claims({ "kubernetes.io": undefined })),
    "wrong uid": await sign(claims({}, { serviceaccount: { name: "default", uid: "x" } })),
    "no account": await sign(claims({}, { serviceaccount: { name: "nope", uid: "x" } })),
    "no pod": await sign(claims({}, { pod: { name: "p", uid: "x" } })),
    "no secret": await sign(claims({}, { secret: { name: "p", uid: "x" } })),
    node: await sign(claims({}, { node: { name: "p", uid: "x" } })),
    "exp string": await sign(claims({ exp: "x" })),
    "exp float": await sign(claims({ exp: now + 3600.5 })),
    "two parts": "a.b",
    "four parts": `${good}.x`,
    garbage: "garbage",
    "payload garbage": await sign("not json"),
    "bad signature": `${good.slice(0, -4)}AAAA`,
    "truncated signature": good.slice(0, -40),
    "empty signature": good.replace(/[^.]*$/, ""),
    crit: await sign(claims(), { crit: ["b64"], b64: true }),
    "header garbage": `${base64("xx")}.${base64(claims())}.AAAA`,
    "sub mismatch": await sign(claims({ sub: "someone" })),
    "warnafter past": await sign(claims({}, { warnafter: now - 10 })),
    "duplicate iss": await sign(text.replace('"iss"', '"iss":"other","iss"')),
    "duplicate iss last foreign": await sign(text.replace('"nbf"', '"iss":"other","nbf"')),
    "Case Iss": await sign(text.replace('"iss"', '"ISS"')),
    legacy: await legacy(whole),
    "legacy no sub": await legacy({}),
    "legacy no ns": await legacy({ sub: inNamespace.sub }),
    "legacy no secret": await legacy(inNamespace),
    "legacy no name": await legacy(ofSecret),
    "legacy no uid": await legacy(ofAccount),
    "legacy other sub": await legacy({ ...whole, sub: "system:serviceaccount:default:x" }),
    // What would be something else if it were read with less care.
    "alg twice": withHeader(good, `{"alg":"none","alg":"RS256","kid":"${kid}"}`),
    "kid number": await sign(claims(), { kid: 1 }),
    "b64 false": withHeader(good, `{"alg":"RS256","kid":"${kid}","b64":false}`),
    "jwk empty": await sign(claims(), { jwk: {} }),
    "padded signature": `${good}==`,
    "payload with something behind it": await sign(`${text}x`),
    "expires at nothing": await sign(claims({ exp: 0 })),
    "expires beyond all clocks": await sign(text.replace(/"exp":\d+/, '"exp":1e300')),
    "issued never": await sign(claims({ iat: undefined })),
    "audience null": await sign(claims({ aud: null })),
    "audience empty": await sign(claims({ aud: "" })),
    "audience list of nothing": await sign(claims({ aud: [] })),
    "audience list with a number": await sign(claims({ aud: [1] })),
    "issuer a list": await sign(claims({ iss: [issuer] })),
    "identifier a number": await sign(claims({ jti: 1 })),
    "private claims null": await sign(claims({ "kubernetes.io": null })),
    "private claims a list": await sign(claims({ "kubernetes.io": [] })),
    "private claims twice": await sign(text.replace(/}$/, ',"kubernetes.io":{}}')),
    "namespace missing": await sign(claims({}, { namespace: undefined })),
    "namespace a number": await sign(claims({}, { namespace: 1 })),
    "another namespace": await sign(claims({}, { namespace: "elsewhere" })),
    "pod a text": await sign(claims({}, { pod: "p" })),
    "pod null": await sign(claims({}, { pod: null })),
    "pod of no name": await sign(claims({}, { pod: {} })),
    "warnafter words": await sign(claims({}, { warnafter: "soon" })),
    "warnafter nothing": await sign(claims({}, { warnafter: 0 })),
    "subject of the masters": await sign(claims({ sub: "system:masters" })),
    "legacy with an audience": await legacy({ ...whole, aud: [issuer] }),
    "legacy with an end": await legacy({ ...whole, exp: 1 }),
    space: " x",
    "two words": "user-token more",
  };
  return new Map(Object.entries(cases));
}
