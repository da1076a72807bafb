// Tokens of service accounts, signed with the servers' own key: claims of all sorts, right and wrong, about accounts, pods, secrets
// and nodes that are there, are gone or have been made anew. Both servers run with start-with-roles.mjs, which prints
// SERVICE_ACCOUNT_KEY. COUNT is the number of tokens, SEED which.
import { createPrivateKey, createPublicKey, generateKeyPairSync, randomUUID, sign } from "node:crypto";
import { readFileSync } from "node:fs";
import { adapt } from "../lib/adapted-side.mjs";
import { prepare } from "../lib/prepare-sides.mjs";
import { Random } from "../lib/random.mjs";

export const parallel = 4;
const { SEED = "1", COUNT = "1500", SERVICE_ACCOUNT_KEY = "" } = process.env;
const namespace = `tokens-${SEED}`;
const path = `/api/v1/namespaces/${namespace}`;
const node = `tokens-${SEED}`;
const issuer = "https://kubernetes.default.svc";
const whoAmI = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
const tokenReviews = "/apis/authentication.k8s.io/v1/tokenreviews";

/** Cases for a runner of differential areas. */
export async function* cases(right, left) {
  const key = createPrivateKey(readFileSync(SERVICE_ACCOUNT_KEY));
  const { privateKey: stranger } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const sides = [left, right].map((side) => ({ side, secrets: adapt(side) }));
  for (const { side, secrets } of sides) await prepareAccounts(side, secrets);
  for (let i = 0; i < Number(COUNT); i++) {
    const r = new Random(Number(SEED) * 1_000_003 + i);
    const name = `token-${i}`;
    const { header, claims, isForeign, spoil } = drawnToken(r);
    for (const { secrets } of sides) {
      secrets.set(name, spoil(signed(header, filled(claims, secrets), isForeign ? stranger : key)));
    }
    const audiences = r.pick([undefined, undefined, [issuer], ["other"], ["other", issuer], []]);
    const steps = [
      { method: "POST", path: whoAmI, body: "{}", as: "none", headers: bearer(`{{${name}}}`), view },
      {
        method: "POST",
        path: tokenReviews,
        body: JSON.stringify({ spec: { token: `{{${name}}}`, audiences } }),
        headers: { "content-type": "application/json" },
        view,
      },
    ];
    yield { name: `${SEED}-${i} ${JSON.stringify(claims)}`, independent: true, steps };
  }
}

const bearer = (token) => ({ authorization: `Bearer ${token}`, "content-type": "application/json" });

/** Makes the accounts and what tokens are bound to, and notes their uids: those of what is gone, too. */
async function prepareAccounts(side, secrets) {
  const pod = (name, more) => ({
    metadata: { name, ...more },
    spec: { containers: [{ name: "c", image: "i" }], serviceAccountName: "own", nodeName: node },
  });
  const account = (name, more) => ({ metadata: { name, ...more } });
  const objects = [
    ["accounts own", `${path}/serviceaccounts`, account("own")],
    ["accounts gone", `${path}/serviceaccounts`, account("gone")],
    ["accounts anew", `${path}/serviceaccounts`, account("anew")],
    ["accounts ending", `${path}/serviceaccounts`, account("ending", { finalizers: ["example.com/f"] })],
    ["pods own", `${path}/pods`, pod("own")],
    ["pods gone", `${path}/pods`, pod("gone")],
    ["pods anew", `${path}/pods`, pod("anew")],
    ["pods ending", `${path}/pods`, pod("ending", { finalizers: ["example.com/f"] })],
    ["secrets own", `${path}/secrets`, { metadata: { name: "own" } }],
    ["secrets gone", `${path}/secrets`, { metadata: { name: "gone" } }],
    ["secrets anew", `${path}/secrets`, { metadata: { name: "anew" } }],
    ["secrets ending", `${path}/secrets`, { metadata: { name: "ending", finalizers: ["example.com/f"] } }],
    ["nodes own", "/api/v1/nodes", { metadata: { name: node } }],
  ];
  await prepare([side], [{ path: "/api/v1/namespaces", body: { metadata: { name: namespace } } }]);
  for (const [name, where, body] of objects) {
    const sent = {
      method: "POST",
      path: where,
      body: JSON.stringify(body),
      headers: { "content-type": "application/json" },
    };
    const answer = JSON.parse((await side.request(sent)).body.toString());
    if (answer.metadata.uid === undefined) throw new Error(`${where}: ${JSON.stringify(answer)}`);
    secrets.set(name, answer.metadata.uid);
    if (/gone|anew|ending/.test(name)) {
      await side.request({ method: "DELETE", path: `${where}/${body.metadata.name}?gracePeriodSeconds=0` });
    }
    if (/anew/.test(name)) await side.request(sent);
  }
  // What is deleted counts as deleted after the leeway of a minute: the tokens of what is ending are right until then.
}

const seconds = () => Math.floor(Date.now() / 1000);

function drawnToken(r) {
  const claims = drawnClaims(r);
  const header = r.chance(0.9)
    ? { alg: "RS256" }
    : r.pick([
        { alg: "RS512" },
        { alg: "RS256", kid: "x" },
        { alg: "RS256", typ: "JWT" },
        { alg: "none" },
        { alg: "HS256" },
      ]);
  const spoil = r.chance(0.95)
    ? (text) => text
    : r.pick([
        (text) => `${text}x`,
        (text) => text.slice(1),
        (text) => `${text}.`,
        (text) => ` ${text}`,
        (text) => text.replace(".", ".."),
      ]);
  return { header, claims, isForeign: r.chance(0.04), spoil };
}

function drawnClaims(r) {
  const state = () => (r.chance(0.7) ? "own" : r.pick(["gone", "anew", "ending", "absent"]));
  const account = state();
  const uidOf = (kind, name) => (r.chance(0.93) ? `{{${kind} ${name}}}` : r.pick(["wrong", "", undefined, 5]));
  const at = seconds();
  const private_ = {
    namespace: r.chance(0.96) ? namespace : r.pick(["other", "", undefined, 5]),
    serviceaccount: { name: r.chance(0.97) ? account : r.pick(["", undefined]), uid: uidOf("accounts", account) },
  };
  for (const [member, kind, probability] of [
    ["pod", "pods", 0.4],
    ["secret", "secrets", 0.3],
    ["node", "nodes", 0.15],
  ]) {
    if (!r.chance(probability)) continue;
    const bound = kind === "nodes" ? (r.chance(0.7) ? "own" : "absent") : state();
    private_[member] = { name: bound === "own" && kind === "nodes" ? node : bound, uid: uidOf(kind, bound) };
    if (r.chance(0.03)) private_[member] = r.pick([null, {}, "x"]);
  }
  if (r.chance(0.15)) private_.warnafter = r.pick([at - 10, at + 3600, "x", 0]);
  const all = {
    iss: r.chance(0.97) ? issuer : r.pick(["other", "", "kubernetes/serviceaccount", 5]),
    sub: r.chance(0.95)
      ? `system:serviceaccount:${namespace}:${account}`
      : r.pick(["x", "", undefined, 5, "system:serviceaccount:other:own"]),
    aud: r.chance(0.75)
      ? [issuer]
      : r.pick([issuer, ["other"], ["other", issuer], [], undefined, "other", [""], 5, null]),
    exp: r.chance(0.85) ? at + 3600 : r.pick([at - 30, at - 90, at + 5000.5, undefined, "x", 0, -1, 1e20, null]),
    iat: r.chance(0.85) ? at : r.pick([at + 30, at + 90, undefined, "x", 0]),
    nbf: r.chance(0.85) ? at : r.pick([at + 30, at + 90, undefined, "x", 0]),
    ...(r.chance(0.3) && { jti: r.pick(["j", "", 5, randomUUID()]) }),
    "kubernetes.io": r.chance(0.97) ? private_ : r.pick([undefined, null, "x", {}, []]),
  };
  if (r.chance(0.05)) Object.assign(all, legacyClaims(r, account));
  return all;
}

/** The claims of a token that is kept in a secret, by another issuer. */
function legacyClaims(r, account) {
  return {
    iss: r.chance(0.8) ? "kubernetes/serviceaccount" : issuer,
    "kubernetes.io/serviceaccount/namespace": namespace,
    "kubernetes.io/serviceaccount/secret.name": r.pick(["own", "absent", ""]),
    "kubernetes.io/serviceaccount/service-account.name": r.pick([account, ""]),
    "kubernetes.io/serviceaccount/service-account.uid": `{{accounts ${account}}}`,
    aud: undefined,
    exp: r.pick([undefined, seconds() - 100]),
  };
}

function filled(claims, secrets) {
  return JSON.stringify(claims).replace(
    /\{\{([\w ]+)\}\}/g,
    (_, name) => secrets.get(name) ?? "00000000-0000-0000-0000-000000000000",
  );
}

function signed(header, payload, key) {
  const encode = (text) => Buffer.from(text).toString("base64url");
  const kid = header.kid ?? keyId(key);
  const content = `${encode(JSON.stringify({ kid, ...header }))}.${encode(payload)}`;
  const hash = header.alg === "RS512" ? "sha512" : "sha256";
  return `${content}.${header.alg === "none" ? "" : sign(hash, Buffer.from(content), key).toString("base64url")}`;
}

const keyIds = new Map();

/** The identifier of a key as v1.29 makes it. */
function keyId(key) {
  if (!keyIds.has(key))
    keyIds.set(key, createPublicKey(key).export({ type: "spki", format: "der" }).toString("base64url").slice(0, 20));
  return keyIds.get(key);
}

/** The answer without the token and the uids. */
function view({ body }) {
  const { metadata: _, spec: __, ...told } = JSON.parse(body.toString());
  const uid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
  return JSON.parse(JSON.stringify(told).replace(uid, "UID"));
}
