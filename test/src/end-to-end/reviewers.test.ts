import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { createHttpClient } from "@gatehouse/component-base/http-client";
import { type ClientConfig, loadKubeconfig } from "@gatehouse/component-base/kubeconfig";
import type { ControlPlane } from "@gatehouse/testing";
import {
  authorizationScript,
  createHookPki,
  type HookPki,
  type HookServer,
  startHookServer,
  tokenReviewScript,
} from "../support/hook-server.js";
import { noPeer, type PeerServer, startPeerServer } from "../support/peer-server.js";
import { startTestServer } from "../support/start-test-server.js";
import { startTestIssuer, type TestIssuer } from "../support/test-issuer.js";
import { until } from "../support/until.js";

// gatehouse-token-review and gatehouse-authorization behind two API servers at once: ours and a real kube-apiserver.
// Whatever one of them says to the bearer of a token, the other has to say as well.

const rules = (denials = "") => `apiVersion: config.gatehouse.dev/v1alpha1
kind: AuthorizationRules
denials:
- {name: frozen, reason: the freeze ends on Monday, groups: ["system:authenticated"], verbs: [delete], apiGroups: [""], resources: [configmaps]}
${denials}rbac:
- apiVersion: rbac.authorization.k8s.io/v1
  kind: ClusterRole
  metadata: {name: dev}
  rules:
  - {verbs: [create, get, delete], apiGroups: [""], resources: [configmaps]}
  - {verbs: [create], apiGroups: [authentication.k8s.io, authorization.k8s.io], resources: ["*"]}
- apiVersion: rbac.authorization.k8s.io/v1
  kind: ClusterRoleBinding
  metadata: {name: devs}
  roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: dev}
  subjects: [{kind: Group, name: "corp:dev"}]
abac: |
  {"apiVersion": "abac.authorization.kubernetes.io/v1beta1", "kind": "Policy", "spec": {"user": "opaque:robot", "namespace": "*", "resource": "*", "apiGroup": "*", "readonly": true}}
`;

const signal = new AbortController().signal;
let folder: string;
let pki: HookPki;
let issuer: TestIssuer;
let tokenReview: HookServer;
let authorization: HookServer;
let ours: ControlPlane;
let peer: PeerServer | undefined;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatehouse-reviewers-"));
  pki = await createHookPki(folder);
  issuer = await startTestIssuer({
    certFile: join(folder, "hooks", "server.crt"),
    keyFile: join(folder, "hooks", "server.key"),
  });
  await writeFile(join(folder, "rules.yaml"), rules());
  await writeFile(join(folder, "secret"), "secret");
  await writeFile(join(folder, "tokens.yaml"), JSON.stringify(tokenConfiguration(issuer.url)));
  [tokenReview, authorization] = await Promise.all([
    startHookServer([`--config=${join(folder, "tokens.yaml")}`, ...pki.servingFlags], tokenReviewScript),
    startHookServer([`--config=${join(folder, "rules.yaml")}`, ...pki.servingFlags], authorizationScript),
  ]);
  const flags = [
    `--authentication-token-webhook-config-file=${await kubeconfigFor("token-review", tokenReview)}`,
    "--authentication-token-webhook-version=v1",
    "--authentication-token-webhook-cache-ttl=0s",
    "--authorization-mode=Webhook",
    `--authorization-webhook-config-file=${await kubeconfigFor("authorize", authorization)}`,
    "--authorization-webhook-cache-authorized-ttl=0s",
    "--authorization-webhook-cache-unauthorized-ttl=0s",
  ];
  [ours, peer] = await Promise.all([
    startTestServer({ flags }),
    noPeer === undefined ? startPeerServer(flags) : undefined,
  ]);
});

after(async () => {
  await ours?.stop();
  await peer?.[Symbol.asyncDispose]();
  await tokenReview?.[Symbol.asyncDispose]();
  await authorization?.[Symbol.asyncDispose]();
  issuer?.[Symbol.dispose]();
  await rm(folder, { recursive: true, force: true });
});

const tokenConfiguration = (url: string) => ({
  apiVersion: "config.gatehouse.dev/v1alpha1",
  kind: "TokenReviewConfiguration",
  // What both servers take for their own, as their --service-account-issuer says.
  audiences: ["https://kubernetes.default.svc"],
  cacheTTLSeconds: 0,
  issuers: [
    {
      url,
      audiences: ["kubectl"],
      algorithms: ["ES256"],
      certificateAuthority: "hooks/ca.crt",
      claimMappings: {
        username: { claim: "sub", prefix: "corp:" },
        groups: { claim: "groups", prefix: "corp:" },
        uid: "sub",
        extra: [{ key: "example.com/tenant", claim: "tenant" }],
      },
    },
  ],
  introspection: [
    {
      url: `${url}/introspect`,
      clientID: "reviewer",
      clientSecretFile: "secret",
      audiences: ["kubectl"],
      certificateAuthority: "hooks/ca.crt",
      claimMappings: { username: { claim: "username", prefix: "opaque:" } },
    },
  ],
});

/** Returns the path of a kubeconfig with which an API server calls a reviewer. */
async function kubeconfigFor(path: string, { url }: HookServer): Promise<string> {
  const file = join(folder, "hooks", `${path}.kubeconfig`);
  const content = {
    clusters: [{ name: "c", cluster: { server: `${url}/${path}`, "certificate-authority": "ca.crt" } }],
    users: [{ name: "u", user: { "client-certificate": "caller.crt", "client-key": "caller.key" } }],
    contexts: [{ name: "c", context: { cluster: "c", user: "u" } }],
    "current-context": "c",
  };
  await writeFile(file, JSON.stringify(content));
  return file;
}

const sign = (claims?: object, header?: object): Promise<string> => issuer.sign(claims, header);

type Answer = readonly [code: number, what: unknown];

async function send(config: ClientConfig, token: string, method: string, path: string, body?: object): Promise<Answer> {
  using client = createHttpClient({ config: { ...config, authorization: { kind: "token", token } } });
  const { status: code, body: bytes } = await client.request({
    method,
    path,
    headers: { "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal,
    timeoutMs: 30_000,
  });
  const text = bytes.toString();
  if (code === 500) {
    return [code, text.trim()];
  }
  const { message, status, data } = JSON.parse(text) as Readonly<Record<string, unknown>>;
  return [code, code < 300 ? (data ?? status) : message];
}

/** Sends a request to both servers; asserts that their answers are equal. */
async function sendToBoth(token: string, method: string, path: string, body?: object): Promise<Answer> {
  const [left, right] = await Promise.all([
    send(ours.anonymousConfig, token, method, path, body),
    peer === undefined ? undefined : send(peer.anonymousConfig, token, method, path, body),
  ]);
  if (right !== undefined) {
    assert.deepEqual(left, right);
  }
  return left;
}

const whoAmI = (token: string) =>
  sendToBoth(token, "POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", {
    apiVersion: "authentication.k8s.io/v1",
    kind: "SelfSubjectReview",
  });
const canI = (token: string, resourceAttributes: object) =>
  sendToBoth(token, "POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", {
    apiVersion: "authorization.k8s.io/v1",
    kind: "SelfSubjectAccessReview",
    spec: { resourceAttributes },
  });
const configMaps = "/api/v1/namespaces/default/configmaps";
const configMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: { a: "b" } };
const unauthorized: Answer = [401, "Unauthorized"];

describe("Reviewers behind API servers", () => {
  test("make a user of a token", async () => {
    const userInfo = {
      username: "corp:jane",
      uid: "jane",
      groups: ["corp:dev", "system:authenticated"],
      extra: { "example.com/tenant": ["blue"] },
    };
    assert.deepEqual(await whoAmI(await sign({ tenant: "blue" })), [201, { userInfo }]);
  });

  test("leave out whoever has no good token", async () => {
    const past = Math.floor(Date.now() / 1000) - 60;
    assert.deepEqual(await whoAmI(await sign({ exp: past })), unauthorized);
    assert.deepEqual(await whoAmI(await sign({ aud: "vault" })), unauthorized);
    assert.deepEqual(await whoAmI(await sign({ iss: `${issuer.url}/` })), unauthorized);
    assert.deepEqual(await whoAmI(await sign({ groups: ["dev"] }, { kid: "2" })), unauthorized);
    assert.deepEqual(await whoAmI("nobody"), unauthorized);
  });

  test("allow and deny, and say by which rule", async () => {
    const jane = await sign();
    assert.deepEqual(await sendToBoth(jane, "POST", configMaps, configMap), [201, { a: "b" }]);
    assert.deepEqual(await sendToBoth(jane, "GET", `${configMaps}/a`), [200, { a: "b" }]);
    assert.deepEqual(await sendToBoth(jane, "DELETE", `${configMaps}/a`), [
      403,
      'configmaps "a" is forbidden: User "corp:jane" cannot delete resource "configmaps" in API group "" in the namespace "default": denied by "frozen": the freeze ends on Monday',
    ]);
    assert.deepEqual(await sendToBoth(jane, "GET", configMaps), [
      403,
      'configmaps is forbidden: User "corp:jane" cannot list resource "configmaps" in API group "" in the namespace "default"',
    ]);
    assert.deepEqual(await sendToBoth(jane, "GET", "/metrics"), [
      403,
      'forbidden: User "corp:jane" cannot get path "/metrics"',
    ]);
  });

  test("answer what somebody may do", async () => {
    const jane = await sign();
    const about = { resource: "configmaps", namespace: "default" };
    assert.deepEqual(await canI(jane, { ...about, verb: "get" }), [
      201,
      {
        allowed: true,
        reason: 'RBAC: allowed by ClusterRoleBinding "devs" of ClusterRole "dev" to Group "corp:dev"',
      },
    ]);
    assert.deepEqual(await canI(jane, { ...about, verb: "delete" }), [
      201,
      { allowed: false, denied: true, reason: 'denied by "frozen": the freeze ends on Monday' },
    ]);
    assert.deepEqual(await canI(jane, { ...about, verb: "list" }), [201, { allowed: false }]);
  });

  test("know opaque tokens, and lines of ABAC", async () => {
    assert.deepEqual(await sendToBoth("robot", "GET", `${configMaps}/a`), [200, { a: "b" }]);
    assert.deepEqual(await sendToBoth("robot", "POST", configMaps, configMap), [
      403,
      'configmaps is forbidden: User "opaque:robot" cannot create resource "configmaps" in API group "" in the namespace "default"',
    ]);
  });

  test("follow their documents as they are replaced", async () => {
    const more =
      '- {name: closed, reason: come back later, users: ["*"], verbs: [get], apiGroups: [""], resources: ["*"]}\n';
    await writeFile(join(folder, "rules.yaml"), rules(more));
    await until("the new rules are in force", () => authorization.command.stderr().includes("rules reloaded"));
    assert.deepEqual(await sendToBoth(await sign(), "GET", `${configMaps}/a`), [
      403,
      'configmaps "a" is forbidden: User "corp:jane" cannot get resource "configmaps" in API group "" in the namespace "default": denied by "closed": come back later',
    ]);
  });

  test("talk to nobody whom they do not know, and log no token", async () => {
    const asked = { signal, timeoutMs: 10_000 };
    for (const [path, reviewer] of [
      ["/token-review", tokenReview],
      ["/authorize", authorization],
    ] as const) {
      const config = await loadKubeconfig(join(folder, "hooks", `${path.slice(1)}.kubeconfig`));
      const { clientCertificate, clientCertificateFiles, ...anonymous } = config;
      using stranger = createHttpClient({ config: { ...anonymous, server: new URL(reviewer.url) } });
      assert.equal((await stranger.requestJson({ ...asked, method: "POST", path, body: {} })).status, 401);
      assert.equal((await stranger.request({ ...asked, path: "/readyz" })).body.toString(), "ok");
      using known = createHttpClient({ config: { ...config, server: new URL(reviewer.url) } });
      const metrics = (await known.request({ ...asked, path: "/metrics" })).body.toString();
      assert.match(
        metrics,
        /^gatehouse_webhook_reviews_total\{hook="[a-z-]+",outcome="(authenticated|denied)"\} \d+$/m,
      );
    }
    assert.doesNotMatch(tokenReview.command.stderr(), /ey[A-Za-z0-9_-]{20}|robot/);
  });

  test("end on SIGTERM, after which nobody gets in", async () => {
    const jane = await sign();
    assert.equal((await authorization.command.stop()).code, 0);
    const [code, text] = await sendToBoth(jane, "GET", configMaps);
    assert.equal(code, 500);
    assert.match(
      String(text),
      /^Internal Server Error: "\/api\/v1\/namespaces\/default\/configmaps": Post ".*\/authorize\?timeout=30s": dial tcp .*: connect: connection refused$/,
    );
    assert.equal((await tokenReview.command.stop()).code, 0);
    // A token that has been seen before is good for ten seconds more.
    assert.deepEqual(await whoAmI(await sign({ sub: "joe" })), unauthorized);
  });
});
