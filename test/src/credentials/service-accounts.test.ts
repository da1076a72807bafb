import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { ControlPlane } from "@gatehouse/testing";
import { serviceAccountIssuer } from "@gatehouse/testing/certificates";
import { createRemoteJWKSet, customFetch, decodeJwt, decodeProtectedHeader, jwtVerify } from "jose";
import { type ApiClient, createApiClient } from "../spec/support/api-client.js";
import { assertCode } from "../spec/support/assert-status.js";
import { withoutAdmission } from "../support/admission-flags.js";
import { startTestServer } from "../support/start-test-server.js";
import { until } from "../support/until.js";
import { serviceAccountTokenCases } from "./service-account-cases.js";

const accounts = "/api/v1/namespaces/default/serviceaccounts";
const reviews = "/apis/authentication.k8s.io/v1/tokenreviews";
const recorded = (name: string): Record<string, Record<string, unknown>> =>
  JSON.parse(readFileSync(new URL(`../../src/credentials/${name}.json`, import.meta.url), "utf8"));
const uidPattern = /[0-9a-f]{8}-[0-9a-f-]{27}/g;
const withoutUids = (value: unknown): unknown => JSON.parse(JSON.stringify(value).replace(uidPattern, "UID"));

/** Replays v1.29's answers to equal tokens and requests. */
describe("Tokens of service accounts", { concurrency: 8 }, () => {
  const { privateKey: key } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const { privateKey: foreignKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  let folder: string;
  let server: ControlPlane;
  let admin: ApiClient;
  let accountUid: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "gatehouse-accounts-"));
    const file = join(folder, "sa.key");
    await writeFile(file, key.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 });
    await writeFile(join(folder, "tokens.csv"), 'user-token,jane,jane-uid,"developers"\n');
    server = await startTestServer({
      flags: [
        withoutAdmission,
        `--service-account-issuer=${serviceAccountIssuer}`,
        `--service-account-key-file=${file}`,
        `--service-account-signing-key-file=${file}`,
        `--token-auth-file=${join(folder, "tokens.csv")}`,
        "--authorization-mode=AlwaysDeny",
      ],
    });
    admin = createApiClient(server.clientConfig);
    await until("the default account is there", async () => (await admin.get(`${accounts}/default`)).status === 200);
    accountUid = String((await admin.get(`${accounts}/default`)).document.metadata?.uid);
    await admin.post(accounts, { metadata: { name: "builder" } });
    const spec = { serviceAccountName: "default", containers: [{ name: "c", image: "i" }] };
    assertCode(await admin.post("/api/v1/namespaces/default/pods", { metadata: { name: "web" }, spec }), 201);
    await admin.post("/api/v1/namespaces/default/secrets", { metadata: { name: "sec" } });
  });
  after(async () => {
    admin[Symbol.dispose]();
    await server.stop();
    await rm(folder, { recursive: true });
  });

  const review = async (token: string, audiences: readonly string[] = []) => {
    const answer = await admin.post(reviews, { spec: { token, audiences } });
    assertCode(answer, 201);
    return (answer.document as unknown as { status: Record<string, unknown> }).status;
  };
  const request = async (spec: object, account = "default") => {
    const answer = await admin.post(`${accounts}/${account}/token`, { spec });
    assertCode(answer, 201);
    return (answer.document as unknown as { status: { token: string } }).status.token;
  };
  const pod = { kind: "Pod", apiVersion: "v1", name: "web" };

  it("each token gets v1.29's verdict and error", async () => {
    const now = Math.floor(Date.now() / 1000);
    const cases = await serviceAccountTokenCases({ key, foreignKey, issuer: serviceAccountIssuer, accountUid, now });
    const expected = recorded("recorded-service-account-tokens");
    assert.deepEqual([...cases.keys()], Object.keys(expected));
    const verdicts: Record<string, unknown> = {};
    for (const [name, token] of cases) {
      verdicts[name] = withoutUids(await review(token));
    }
    assert.deepEqual(verdicts, expected);
  });

  it("audiences that are asked for are those that are answered", async () => {
    const token = await request({ audiences: ["x", serviceAccountIssuer] });
    assert.deepEqual((await review(token, ["x"]))["audiences"], ["x"]);
    assert.deepEqual((await review(token, ["y", serviceAccountIssuer, "x"]))["audiences"], [serviceAccountIssuer, "x"]);
    assert.deepEqual((await review(token, ["y"]))["authenticated"], undefined);
  });

  const bound = (reference: object, more: object = {}) => ({ spec: { boundObjectRef: reference, ...more } });
  const requests: Readonly<Record<string, readonly [body: object, query?: string, account?: string]>> = {
    empty: [{}],
    min: [{ spec: { expirationSeconds: 599 } }],
    max: [{ spec: { expirationSeconds: 4294967297 } }],
    "ok max": [{ spec: { expirationSeconds: 4294967296 } }],
    audiences: [{ spec: { audiences: ["a", "b"], expirationSeconds: 600 } }],
    "empty aud": [{ spec: { audiences: [""] } }],
    pod: [bound(pod)],
    "pod 3607": [bound(pod, { expirationSeconds: 3607 })],
    "pod 3607 other aud": [bound(pod, { audiences: ["x"], expirationSeconds: 3607 })],
    "pod wrong uid": [bound({ ...pod, uid: "nope" })],
    "no pod": [bound({ ...pod, name: "nope" })],
    "pod other sa": [bound(pod), "", "builder"],
    secret: [bound({ kind: "Secret", apiVersion: "v1", name: "sec" })],
    node: [bound({ kind: "Node", apiVersion: "v1", name: "n" })],
    "other kind": [bound({ kind: "ConfigMap", apiVersion: "v1", name: "n" })],
    "other version": [bound({ ...pod, apiVersion: "v2" })],
    "other group": [bound({ ...pod, apiVersion: "apps/v1" })],
    "empty ref": [bound({})],
    "name mismatch": [{ metadata: { name: "x" }, spec: {} }],
    "ns mismatch": [{ metadata: { namespace: "x" }, spec: {} }],
    "no sa": [{ spec: {} }, "", "nope"],
    dry: [{ spec: {} }, "?dryRun=All"],
    labels: [{ metadata: { labels: { a: "b" }, generateName: "g", uid: "u" }, status: { token: "x" } }],
    "wrong kind": [{ kind: "Pod", apiVersion: "v1" }],
    v1beta1: [{ kind: "TokenRequest", apiVersion: "authentication.k8s.io/v1beta1" }],
  };
  it("each request for a token gets v1.29's answer", async () => {
    const answers: Record<string, unknown> = {};
    for (const [name, [body, query = "", account = "default"]] of Object.entries(requests)) {
      const { document, status } = await admin.post(`${accounts}/${account}/token${query}`, body);
      answers[name] = withoutUids(status === 201 ? issued(document as unknown as IssuedToken) : refused(document));
    }
    assert.deepEqual(answers, recorded("recorded-token-requests"));
  });

  it("a token logs in as its account, and others can verify it by our documents", async () => {
    const token = await request({});
    using robot = createApiClient(server.anonymousConfig);
    const answer = await robot.get("/version", { authorization: `Bearer ${token}` });
    assert.equal(
      answer.document.message,
      'forbidden: User "system:serviceaccount:default:default" cannot get path "/version": Everything is forbidden.',
    );
    const configuration = await admin.get("/.well-known/openid-configuration");
    assert.equal(configuration.headers["cache-control"], "public, max-age=3600");
    assert.deepEqual(configuration.document, {
      issuer: serviceAccountIssuer,
      jwks_uri: (configuration.document as unknown as { jwks_uri: string }).jwks_uri,
      response_types_supported: ["id_token"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["RS256"],
    });
    const keys = createRemoteJWKSet(new URL("/openid/v1/jwks", server.url), {
      async [customFetch](url) {
        const { status, bytes, headers } = await admin.get(new URL(url).pathname);
        assert.equal(headers["content-type"], "application/jwk-set+json");
        return new Response(bytes, { status });
      },
    });
    const { payload } = await jwtVerify(token, keys, { issuer: serviceAccountIssuer, audience: serviceAccountIssuer });
    assert.equal(payload.sub, "system:serviceaccount:default:default");
  });

  it("a token dies with its account, its pod and its secret, and with what takes their names", async () => {
    const make = async (kind: string, object: object) =>
      assertCode(await admin.post(`/api/v1/namespaces/default/${kind}`, object), 201);
    const spec = { serviceAccountName: "mortal", containers: [{ name: "c", image: "i" }] };
    const makeAll = async () => {
      await make("serviceaccounts", { metadata: { name: "mortal" } });
      await make("pods", { metadata: { name: "mortal" }, spec });
      await make("secrets", { metadata: { name: "mortal" } });
    };
    await makeAll();
    const tokens = [
      await request({}, "mortal"),
      await request({ boundObjectRef: { kind: "Pod", apiVersion: "v1", name: "mortal" } }, "mortal"),
      await request({ boundObjectRef: { kind: "Secret", apiVersion: "v1", name: "mortal" } }, "mortal"),
    ];
    // Not asked before: what is known to be good is believed for ten seconds, as in v1.29.
    await admin.delete("/api/v1/namespaces/default/pods/mortal?gracePeriodSeconds=0");
    await admin.delete("/api/v1/namespaces/default/secrets/mortal");
    const invalidated = "[invalid bearer token, service account token has been invalidated]";
    await until("the pod's token is void", async () => (await review(tokens[1] ?? ""))["error"] === invalidated);
    assert.equal((await review(tokens[2] ?? ""))["error"], invalidated);
    await admin.delete(`${accounts}/mortal`);
    const gone = '[invalid bearer token, serviceaccounts "mortal" not found]';
    await until("the account's token is void", async () => (await review(tokens[0] ?? ""))["error"] === gone);
    await makeAll();
    for (const token of tokens) {
      assert.match(
        String((await review(token))["error"]),
        /^\[invalid bearer token, service account UID \([^)]+\) does not match claim \([^)]+\)\]$/,
      );
    }
  });

  it("a secret for a token is filled, its token logs in, and its use is noted", async () => {
    const secret = {
      metadata: { name: "lasting", annotations: { "kubernetes.io/service-account.name": "builder" } },
      type: "kubernetes.io/service-account-token",
    };
    assertCode(await admin.post("/api/v1/namespaces/default/secrets", secret), 201);
    const path = "/api/v1/namespaces/default/secrets/lasting";
    type Secret = { data?: Record<string, string>; metadata: { labels?: Record<string, string> } };
    const read = async () => (await admin.get(path)).document as unknown as Secret;
    const data = await until("the secret is filled", async () => (await read()).data);
    const token = Buffer.from(data["token"] ?? "", "base64").toString();
    assert.equal((decodeJwt(token) as { iss: string }).iss, "kubernetes/serviceaccount");
    const status = await review(token);
    assert.equal((status["user"] as { username: string }).username, "system:serviceaccount:default:builder");
    await until("the use is noted", async () => {
      const label = (await read()).metadata.labels?.["kubernetes.io/legacy-token-last-used"] ?? "";
      return /^\d{4}-\d\d-\d\d$/.test(label);
    });
  });

  it("the reviews themselves are checked", async () => {
    const answer = await admin.post(reviews, { spec: {} });
    assertCode(answer, 400);
    assert.equal(answer.document.message, "token is required for TokenReview in authentication");
  });
});

interface IssuedToken {
  readonly spec: object;
  readonly metadata: { readonly creationTimestamp: string; readonly managedFields: readonly { fieldsV1: object }[] };
  readonly status: { readonly token: string; readonly expirationTimestamp: string };
}

/** Returns an issued token with times relative to its issue. */
function issued({ spec, metadata, status }: IssuedToken): object {
  const { creationTimestamp: _time, managedFields, ...named } = metadata;
  const claims = decodeJwt<{ "kubernetes.io": { warnafter?: number } }>(status.token);
  const at = claims.iat ?? 0;
  const own = claims["kubernetes.io"];
  assert.equal(decodeProtectedHeader(status.token).alg, "RS256");
  return {
    code: 201,
    spec,
    metadata: named,
    claims: {
      ...claims,
      exp: (claims.exp ?? 0) - at,
      nbf: (claims.nbf ?? 0) - at,
      iat: 0,
      "kubernetes.io": own.warnafter === undefined ? own : { ...own, warnafter: own.warnafter - at },
    },
    fields: managedFields[0]?.fieldsV1,
  };
}

function refused(document: object): object {
  const { code, reason, message, details } = document as Record<string, unknown>;
  return { code, reason, message, ...(details === undefined ? {} : { details }) };
}
