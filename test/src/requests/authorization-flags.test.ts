import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { type ApiClient, createApiClient } from "../spec/support/api-client.js";
import { spawnServer } from "../support/server-program.js";
import { startTestServer } from "../support/start-test-server.js";

const folder = await mkdtemp(join(tmpdir(), "gatehouse-authorization-"));
after(() => rm(folder, { recursive: true }));

async function file(name: string, content: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

describe("Flags of authorization", () => {
  it("are checked together, and so are the lines of a policy file", async () => {
    const server = await startTestServer();
    const outputOf = async (...flags: readonly string[]): Promise<string> => {
      let output = "";
      const base = ["--bind-address=127.0.0.1", "--secure-port=0", `--data-dir=${join(folder, "data")}`];
      const certificates = [
        `--tls-cert-file=${server.certificates.serverCertFile}`,
        `--tls-private-key-file=${server.certificates.serverKeyFile}`,
        ...server.certificates.serviceAccountFlags,
      ];
      const failing = spawnServer([...base, ...certificates, ...flags], (text) => {
        output += text;
      });
      await assert.rejects(failing.serving, /ended with 1/);
      return output;
    };
    const [wrong, lines] = await Promise.all([
      outputOf(
        "--authorization-mode=ABAC,RBAC,RBAC",
        "--authorization-webhook-config-file=/nowhere",
        "--authorization-webhook-version=v2",
      ),
      outputOf(
        "--authorization-mode=ABAC",
        `--authorization-policy-file=${await file("bad.jsonl", "# people\n{\n[]\n")}`,
      ),
    ]);
    for (const problem of [
      '--authorization-mode: ["ABAC" "RBAC" "RBAC"] has mode specified more than once',
      "--authorization-mode: ABAC's authorization policy file not passed",
      "--authorization-webhook-config-file: cannot be specified without mode Webhook",
      '--authorization-webhook-version: unsupported webhook authorizer version "v2", supported versions are "v1", "v1beta1"',
    ]) {
      assert.ok(wrong.includes(problem), `${problem}\n${wrong}`);
    }
    assert.ok(lines.includes(`--authorization-policy-file: ${join(folder, "bad.jsonl")}, line 2: `), lines);
    assert.ok(lines.includes("bad.jsonl, line 3: must be a JSON object"), lines);
    const config = await outputOf("--authorization-config=/x", "--authorization-mode=RBAC");
    assert.ok(config.includes("cannot be used without enabling StructuredAuthorizationConfiguration feature flag"));
    assert.ok(
      config.includes("can not be specified when --authorization-mode or --authorization-webhook-* flags are defined"),
    );
    const authorizers = `apiVersion: apiserver.config.k8s.io/v1alpha1
kind: AuthorizationConfiguration
authorizers:
- type: Webhook
  name: far
  webhook:
    timeout: 31s
    subjectAccessReviewVersion: v1
    matchConditionSubjectAccessReviewVersion: v1
    failurePolicy: Deny
    connectionInfo: {type: InClusterConfig}
    matchConditions: [{expression: request.usr == 'a'}, {expression: request.user}]
`;
    const document = await outputOf(
      "--feature-gates=StructuredAuthorizationConfiguration=true",
      `--authorization-config=${await file("broken.yaml", authorizers)}`,
    );
    for (const problem of [
      "authorizers[0].webhook.timeout: must be > 0s and <= 30s",
      "authorizers[0].webhook.matchConditions[0].expression: compilation failed: ERROR: <input>:1:8: undefined field 'usr'",
      "authorizers[0].webhook.matchConditions[1].expression: must evaluate to bool but got string",
    ]) {
      assert.ok(document.includes(problem), `${problem}\n${document}`);
    }
    await server.stop();
  });

  it("put authorizers in a row: a policy file, a webhook that does not answer, and roles", async () => {
    const spec = { user: "ann", namespace: "default", resource: "pods", readonly: true };
    const line = JSON.stringify({ apiVersion: "abac.authorization.kubernetes.io/v1beta1", kind: "Policy", spec });
    const kubeconfig = `clusters: [{name: c, cluster: {server: "https://127.0.0.1:1/authorize", insecure-skip-tls-verify: true}}]
users: [{name: u, user: {}}]
contexts: [{name: c, context: {cluster: c, user: u}}]
current-context: c
`;
    const authorizers = `apiVersion: apiserver.config.k8s.io/v1alpha1
kind: AuthorizationConfiguration
authorizers:
- {type: ABAC, name: abac}
- type: Webhook
  name: far
  webhook:
    timeout: 3s
    subjectAccessReviewVersion: v1
    failurePolicy: NoOpinion
    connectionInfo: {type: KubeConfigFile, kubeConfigFile: ${await file("webhook.kubeconfig", kubeconfig)}}
- {type: RBAC, name: rbac}
`;
    await using server = await startTestServer({
      flags: [
        "--feature-gates=StructuredAuthorizationConfiguration=true",
        `--authorization-config=${await file("authorization.yaml", authorizers)}`,
        `--authorization-policy-file=${await file("policy.jsonl", `# people\n\n${line}\n`)}`,
        `--token-auth-file=${await file("tokens.csv", "ann-token,ann,\n")}`,
      ],
    });
    using client: ApiClient = createApiClient(server.anonymousConfig);
    const headers = { authorization: "Bearer ann-token" };
    // Allowed by the policy file before the webhook is asked; by a role though it cannot be; by nobody.
    assert.equal((await client.get("/api/v1/namespaces/default/pods", headers)).status, 200);
    assert.equal((await client.get("/version", headers)).status, 200);
    const denied = await client.get("/api/v1/namespaces/default/secrets?a=<b>", headers);
    assert.equal(denied.status, 500);
    assert.equal(denied.headers["x-content-type-options"], "nosniff");
    assert.equal(
      denied.text,
      'Internal Server Error: "/api/v1/namespaces/default/secrets?a=&lt;b&gt;": Post "https://127.0.0.1:1/authorize?timeout=3s": dial tcp 127.0.0.1:1: connect: connection refused\n',
    );
  });
});
