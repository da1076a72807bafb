// ID tokens drawn at random: headers, claims of all types, signatures of other keys and algorithms, and spoilt texts. Both servers
// believe one issuer (`start-with-issuer.mjs`, which prints ISSUER_KEYS and ISSUER). COUNT is the number of tokens, SEED
// which.

import { constants, createHmac, createPrivateKey, createPublicKey, generateKeyPairSync, sign } from "node:crypto";
import { readFileSync } from "node:fs";
import { Random } from "../lib/random.mjs";

export const parallel = 4;
const { SEED = "1", COUNT = "3000", ISSUER = "", ISSUER_KEYS = "" } = process.env;
const path = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
const body = { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" };

/** Cases for a runner of differential areas. */
export async function* cases() {
  const keys = JSON.parse(readFileSync(ISSUER_KEYS, "utf8")).map((jwk) => ({
    ...jwk,
    key: createPrivateKey({ key: jwk, format: "jwk" }),
  }));
  const { privateKey: stranger } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  for (let i = 0; i < Number(COUNT); i++) {
    const r = new Random(Number(SEED) * 1_000_003 + i);
    const { token, told } = draw(r, keys, stranger);
    const step = { method: "POST", path, body, as: "none", headers: { authorization: `Bearer ${token}` }, view };
    yield { name: `${SEED}-${i} ${told}`, independent: true, steps: [step] };
  }
}

/** The user, or that there is none. */
function view({ body: answer }) {
  const { kind, status, message } = JSON.parse(answer.toString());
  return kind === "Status" ? { message } : status;
}

const seconds = () => Math.floor(Date.now() / 1000);

function draw(r, keys, stranger) {
  const key = r.chance(0.6) ? keys[0] : r.pick(keys);
  const algorithm = r.chance(0.85)
    ? ({ EC: "ES256" }[key.kty] ?? key.alg ?? "RS256")
    : r.pick(["RS256", "ES256", "PS256", "RS512", "HS256", "none", "", "rs256", "ES384"]);
  const header = {
    alg: algorithm,
    ...(r.chance(0.85) && key.kid !== undefined && { kid: key.kid }),
    ...(r.chance(0.5) && { typ: r.pick(["JWT", "jwt", "at+jwt", "", 5]) }),
    ...(r.chance(0.1) &&
      r.pick([
        { kid: "other" },
        { kid: "" },
        { kid: 5 },
        { crit: ["x"] },
        { crit: [] },
        { b64: false },
        { b64: false, crit: ["b64"] },
        { jku: "https://a" },
        { jwk: {} },
        { x5c: ["a"] },
        { zip: "DEF" },
        { enc: "A128GCM" },
        { cty: "JWT" },
        { alg: ["RS256"] },
        { Alg: "none" },
      ])),
  };
  const claims = drawClaims(r);
  const payload = r.chance(0.96)
    ? JSON.stringify(claims)
    : r.pick([
        JSON.stringify(JSON.stringify(claims)),
        "[]",
        "null",
        "{",
        "",
        `${JSON.stringify(claims)} `,
        JSON.stringify(claims).replace("}", ',"sub":"z"}'),
        JSON.stringify(claims).replace("{", '{"iss":"x",'),
      ]);
  const signed = `${encoded(JSON.stringify(header))}.${encoded(payload)}`;
  const signature = signatureOf(r, signed, algorithm, r.chance(0.95) ? key.key : stranger, keys[0].key);
  const token = spoilt(r, `${signed}.${signature.toString("base64url")}`);
  return { token, told: `${JSON.stringify(header)} ${payload}` };
}

function drawClaims(r) {
  const now = seconds();
  const claims = {
    iss: ISSUER,
    aud: r.pick([
      "client",
      "client",
      "client",
      ["client"],
      ["other", "client"],
      "other",
      [],
      ["other"],
      "Client",
      null,
      5,
      { client: true },
      ["client", 5],
    ]),
    sub: "jane",
    exp: now + 3600,
    tenant: "a",
    email: "jane@example.com",
  };
  const changes = [
    ["iss", [`${ISSUER}/`, "https://other", "", null, 5, undefined, ISSUER.toUpperCase(), "accounts.google.com"]],
    ["sub", ["", null, undefined, 5, true, ["a"], "a b", "é", "system:admin", "a\nb", "x".repeat(300)]],
    [
      "exp",
      [
        now - 5,
        now - 3600,
        now + 1,
        undefined,
        null,
        "9999999999",
        0,
        -1,
        9999999999.5,
        1e18,
        1e300,
        true,
        now + 0.5,
        99999999999999,
      ],
    ],
    ["nbf", [now - 10, now + 200, now + 400, now + 3600, null, "0", 0, -1, 1e18, now + 299]],
    ["iat", [now, now + 3600, null, "0", 0, 1e18, -5]],
    ["tenant", ["b", undefined, null, "", 5, ["a"], "A", "a ", true]],
    ["email", ["", undefined, null, 5, "not an address", ["a@b"], "é@b"]],
    ["email_verified", [true, false, "true", "false", null, 0, 1, "", []]],
    [
      "groups",
      [
        ["a", "b"],
        "a",
        "",
        [],
        null,
        5,
        ["a", 5],
        { a: 1 },
        [""],
        ["a", "a"],
        [["a"]],
        true,
        ["system:masters"],
        "a,b",
        [null],
      ],
    ],
    ["azp", ["client", "other"]],
    ["nonce", ["x"]],
    ["at_hash", ["x"]],
    ["_claim_names", [{ groups: "src" }, {}, "x", { sub: "src" }, null]],
    ["_claim_sources", [{ src: { endpoint: "https://127.0.0.1:1/a" } }, {}, null, "x"]],
    ["Sub", ["other"]],
    ["AUD", ["client"]],
    ["Tenant", ["a", "b"]],
  ];
  for (const [name, values] of changes) {
    const isCommon = name === "groups" || name === "email_verified";
    if (r.chance(isCommon ? 0.4 : 0.12)) claims[name] = r.pick(values);
  }
  return claims;
}

const encoded = (text) => Buffer.from(text).toString("base64url");

function signatureOf(r, signed, algorithm, key, known) {
  const isElliptic = key.asymmetricKeyType === "ec";
  const hash = algorithm.endsWith("512") ? "sha512" : algorithm.endsWith("384") ? "sha384" : "sha256";
  if (algorithm === "none" && r.chance(0.7)) return Buffer.alloc(0);
  if (algorithm === "HS256") {
    const secret = createPublicKey(known).export({ format: "pem", type: "spki" });
    return createHmac("sha256", secret).update(signed).digest();
  }
  const form = isElliptic
    ? { key, dsaEncoding: r.chance(0.9) ? "ieee-p1363" : "der" }
    : {
        key,
        ...(algorithm.startsWith("PS") && {
          padding: constants.RSA_PKCS1_PSS_PADDING,
          saltLength: r.pick([32, 32, 32, 20, 222]),
        }),
      };
  return sign(hash, Buffer.from(signed), form);
}

function spoilt(r, token) {
  if (r.chance(0.88)) return token;
  const [header, payload, signature] = token.split(".");
  return r.pick([
    `${header}.${payload}`,
    `${header}.${payload}.`,
    `${header}..${signature}`,
    `.${payload}.${signature}`,
    `${token}.`,
    `${token}.${signature}`,
    `${token}=`,
    `${header}=.${payload}.${signature}`,
    `${header}.${payload}==.${signature}`,
    `${token}x`,
    token.slice(0, -1),
    token.slice(0, -4),
    `${header}.${payload}.${signature.replaceAll("-", "+").replaceAll("_", "/")}`,
    `${header}.${payload}.${signature.slice(0, -1)}${r.pick([..."ABCDwxyz"])}`,
    `${header} .${payload}.${signature}`,
    `"${token}"`,
    `${token} `,
    ` ${token}`,
    `${payload}.${header}.${signature}`,
    header,
    "",
    "a.b.c",
    `${header}.${payload}.${"A".repeat(342)}`,
  ]);
}
