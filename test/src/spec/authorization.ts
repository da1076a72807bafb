import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { describe, it } from "node:test";
import { eventually } from "@gatehouse/testing/eventually";
import { startTestServer } from "../support/start-test-server.js";
import { createApiClient } from "./support/api-client.js";
import { assertCode } from "./support/assert-status.js";

const section = "Authentication";

/** Request to an authorization webhook: the version of the review, and the path. */
type Question = { readonly apiVersion: string; readonly path: string };

describe("Authorization", { concurrency: 4 }, () => {
  it(`${section}, --authorization-mode, --authorization-policy-file, --authorization-webhook-config-file: authorizers are asked in their order, and who allows is the last to be asked`, async () => {
    await using fixture = await startWithWebhook("--authorization-mode=ABAC,Webhook");
    const { ask, asked } = fixture;
    // By a line of the policy file.
    assert.equal(await ask("/version"), 200);
    assert.deepEqual(asked, []);
    // By the webhook and by nobody, asked once: --authorization-webhook-cache-authorized-ttl and -unauthorized-ttl.
    for (let round = 0; round < 3; round++) {
      assert.equal(await ask("/api"), 200);
      assert.equal(await ask("/apis"), 403);
    }
    assert.deepEqual(asked, [
      { apiVersion: "authorization.k8s.io/v1beta1", path: "/api" },
      { apiVersion: "authorization.k8s.io/v1beta1", path: "/apis" },
    ]);
  });

  it(`${section}, --authorization-webhook-version, --authorization-webhook-cache-authorized-ttl, --authorization-webhook-cache-unauthorized-ttl: another version is asked for, and what is remembered for nothing is asked anew`, async () => {
    await using fixture = await startWithWebhook(
      "--authorization-mode=Webhook",
      "--authorization-webhook-version=v1",
      "--authorization-webhook-cache-unauthorized-ttl=0s",
    );
    const { ask, asked } = fixture;
    for (let round = 0; round < 2; round++) {
      assert.equal(await ask("/api"), 200);
      assert.equal(await ask("/apis"), 403);
    }
    assert.deepEqual(
      asked.map(({ apiVersion, path }) => [apiVersion, path]),
      [
        ["authorization.k8s.io/v1", "/api"],
        ["authorization.k8s.io/v1", "/apis"],
        ["authorization.k8s.io/v1", "/apis"],
      ],
    );
  });

  it(`${section}, --authorization-config: a document names authorizers in their order, in the place of the flags`, async () => {
    await using fixture = await startWithWebhook("--feature-gates=StructuredAuthorizationConfiguration=true");
    assert.equal(await fixture.ask("/version"), 200);
    assert.equal(await fixture.ask("/api"), 200);
    assert.deepEqual(
      fixture.asked.map(({ apiVersion, path }) => [apiVersion, path]),
      [["authorization.k8s.io/v1", "/api"]],
    );
    // A match condition excludes requests from the webhook, which would allow this one.
    assert.equal(await fixture.ask("/excluded"), 403);
    assert.equal(fixture.asked.length, 1);
  });

  it(`${section}, 7: an expression asks what the user of a request, or a service account, may do`, async () => {
    await using server = await startTestServer({ flags: ["--authorization-mode=RBAC", "--controllers=*"] });
    using admin = createApiClient(server.clientConfig);
    const group = { apiGroup: "rbac.authorization.k8s.io" };
    const grants = [
      { kind: "User", name: "ann", ...group },
      { kind: "ServiceAccount", name: "builder", namespace: "default" },
    ];
    const rbac = "/apis/rbac.authorization.k8s.io/v1";
    await admin.post(`${rbac}/clusterroles`, {
      metadata: { name: "r" },
      rules: [
        { apiGroups: [""], resources: ["configmaps", "pods/log"], verbs: ["create", "get", "special"] },
        { nonResourceURLs: ["/paths/*"], verbs: ["get"] },
      ],
    });
    for (const [index, subject] of grants.entries()) {
      await admin.post(`${rbac}/clusterrolebindings`, {
        metadata: { name: `b${index}` },
        subjects: [subject],
        roleRef: { kind: "ClusterRole", name: "r", ...group },
      });
    }
    const group0 = "authorizer.group('')";
    const rows: readonly (readonly [expression: string, value: boolean])[] = [
      [`${group0}.resource('configmaps').namespace('default').check('create').allowed()`, true],
      [`${group0}.resource('configmaps').namespace('default').check('delete').allowed()`, false],
      [`${group0}.resource('pods').check('get').allowed()`, false],
      [`${group0}.resource('pods').subresource('log').namespace('default').name('p').check('get').allowed()`, true],
      [`${group0}.resource('configmaps').check('create').reason().contains('b0')`, true],
      ["authorizer.group('apps').resource('deployments').check('create').allowed()", false],
      ["authorizer.path('/paths/x').check('get').allowed()", true],
      ["authorizer.path('/other').check('get').allowed()", false],
      ["authorizer.requestResource.check('special').allowed()", true],
      ["authorizer.requestResource.check('delete').allowed()", false],
      ["authorizer.serviceAccount('default', 'builder').path('/paths/x').check('get').allowed()", true],
      ["authorizer.serviceAccount('default', 'other').path('/paths/x').check('get').allowed()", false],
      [`!${group0}.resource('configmaps').check('create').errored()`, true],
    ];
    // Nobody listens there: a webhook whose conditions are true fails, and stops the write.
    const webhooks = rows.map(([expression], index) => ({
      name: `w${index}.example.com`,
      admissionReviewVersions: ["v1"],
      sideEffects: "None",
      clientConfig: { url: "https://127.0.0.1:1/" },
      rules: [{ operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] }],
      matchConditions: [
        { name: "row", expression: `object.metadata.name == 'row-${index}'` },
        { name: "expression", expression: `object.metadata.name != 'row-${index}' || ${expression}` },
      ],
    }));
    const configurations = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
    assertCode(await admin.post(configurations, { metadata: { name: "w" }, webhooks }), 201);
    const { certificatePem, keyPem } = await server.certificates.clientCertificate("ann", []);
    using ann = createApiClient({ ...server.clientConfig, clientCertificate: { certificatePem, keyPem } });
    const create = async (index: number): Promise<number> =>
      (await ann.post("/api/v1/namespaces/default/configmaps?dryRun=All", { metadata: { name: `row-${index}` } }))
        .status;
    await eventually(async () => assert.equal(await create(0), 500));
    for (const [index, [expression, value]] of rows.entries()) {
      assert.equal(await create(index), value ? 500 : 201, expression);
    }
    // The first row of those that are false: excluded by the row's own name for all others, by the expression for itself.
    const metrics = (await admin.get("/metrics")).text;
    const labels = 'name="w1.example.com",kind="webhook",type="validate",operation="CREATE"';
    assert.match(
      metrics,
      new RegExp(`^apiserver_admission_match_condition_exclusions_total\\{${labels}\\} \\d+$`, "m"),
    );
    assert.doesNotMatch(metrics, /^apiserver_admission_match_condition_evaluation_errors_total\{/m);
  });
});

interface Fixture extends AsyncDisposable {
  /** The code of ann's request for a path. */
  ask(path: string): Promise<number>;
  /** Requests that the webhook received, in their order. */
  readonly asked: readonly Question[];
}

/** A server with these flags, a policy file that lets ann see `/version`, and a webhook that lets her see `/api`. */
async function startWithWebhook(...flags: readonly string[]): Promise<Fixture> {
  const asked: Question[] = [];
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-authorization-"));
  const file = async (name: string, content: string): Promise<string> => {
    await writeFile(join(folder, name), content);
    return join(folder, name);
  };
  let webhook: Server | undefined;
  const server = await startTestServer({
    flags: [
      "--controllers=system-namespaces-controller",
      `--token-auth-file=${await file("tokens.csv", "ann-token,ann,\n")}`,
      ...flags,
    ],
    flagsFor: async ({ caFile, serverCertFile, serverKeyFile }) => {
      webhook = await startWebhook(
        await readFile(serverCertFile, "utf8"),
        await readFile(serverKeyFile, "utf8"),
        asked,
      );
      const { port } = webhook.address() as AddressInfo;
      const kubeconfig = await file("webhook.kubeconfig", kubeconfigOf(port, caFile));
      const policy = await file("policy.jsonl", policyLine);
      const has = (text: string): boolean => flags.some((flag) => flag.includes(text));
      return [
        ...(has("ABAC") || has("Structured") ? [`--authorization-policy-file=${policy}`] : []),
        ...(has("Webhook") ? [`--authorization-webhook-config-file=${kubeconfig}`] : []),
        ...(has("Structured")
          ? [`--authorization-config=${await file("authorization.yaml", configurationOf(kubeconfig))}`]
          : []),
      ];
    },
  });
  const client = createApiClient(server.anonymousConfig);
  return {
    asked,
    ask: async (path) => (await client.get(path, { authorization: "Bearer ann-token" })).status,
    async [Symbol.asyncDispose]() {
      client[Symbol.dispose]();
      await server.stop();
      webhook?.close();
      webhook?.closeAllConnections();
      await rm(folder, { recursive: true });
    },
  };
}

/** Allows `/api` and `/excluded`, and has no opinion about anything else. */
async function startWebhook(cert: string, key: string, asked: Question[]): Promise<Server> {
  const webhook = createServer({ cert, key }, async (request, response) => {
    const { apiVersion, spec } = (await json(request)) as {
      readonly apiVersion: string;
      readonly spec: { readonly nonResourceAttributes: { readonly path: string } };
    };
    const { path } = spec.nonResourceAttributes;
    asked.push({ apiVersion, path });
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify({
        apiVersion,
        kind: "SubjectAccessReview",
        status: { allowed: path === "/api" || path === "/excluded" },
      }),
    );
  }).listen(0, "127.0.0.1");
  await once(webhook, "listening");
  return webhook;
}

const kubeconfigOf = (port: number, caFile: string): string => `apiVersion: v1
kind: Config
clusters: [{name: c, cluster: {server: "https://127.0.0.1:${port}/authorize", certificate-authority: ${caFile}}}]
users: [{name: u, user: {}}]
contexts: [{name: c, context: {cluster: c, user: u}}]
current-context: c
`;

const policyLine = JSON.stringify({
  apiVersion: "abac.authorization.kubernetes.io/v1beta1",
  kind: "Policy",
  spec: { user: "ann", nonResourcePath: "/version", readonly: true },
});

const configurationOf = (kubeconfig: string): string => `apiVersion: apiserver.config.k8s.io/v1alpha1
kind: AuthorizationConfiguration
authorizers:
- {type: ABAC, name: abac}
- type: Webhook
  name: far
  webhook:
    timeout: 30s
    subjectAccessReviewVersion: v1
    failurePolicy: NoOpinion
    connectionInfo: {type: KubeConfigFile, kubeConfigFile: ${kubeconfig}}
    matchConditionSubjectAccessReviewVersion: v1
    matchConditions:
    - expression: has(request.nonResourceAttributes)
    - expression: request.nonResourceAttributes.path != '/excluded'
`;
