import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { anyCaller } from "@gatehouse/component-base/https-service";
import { createLogger } from "@gatehouse/component-base/logs";
import { createMetricsRegistry } from "@gatehouse/component-base/metrics";
import type { JsonObject } from "@gatehouse/envelopes/json";
import request from "supertest";
import { reviewMiddleware } from "../../toolkit/server/review-middleware.js";
import { printedBy, reviewProgramContract } from "../review-program/review-program.test.support.js";
import { authorizationEndpoint } from "./authorization-endpoint.js";
import { openReloadingAuthorizationRules } from "./reloading-authorization-rules.js";
import { runAuthorization } from "./run-authorization.js";

const folder = mkdtempSync(join(tmpdir(), "gatehouse-authorization-"));
after(() => rmSync(folder, { recursive: true }));
const rulesFile = join(folder, "rules.yaml");
const writeRules = (text: string): void =>
  writeFileSync(rulesFile, `apiVersion: config.gatehouse.dev/v1alpha1\nkind: AuthorizationRules\n${text}`);

const own = `denials:
- {name: frozen, reason: the freeze ends on Monday, users: ["*"], verbs: [create], apiGroups: [apps], resources: ["*"], namespaces: [prod]}
rbac:
- apiVersion: rbac.authorization.k8s.io/v1
  kind: ClusterRole
  metadata: {name: deployer, creationTimestamp: null}
  rules:
  - {verbs: [create], apiGroups: [apps], resources: [deployments]}
  - {verbs: [get], nonResourceURLs: [/metrics]}
- apiVersion: rbac.authorization.k8s.io/v1
  kind: ClusterRoleBinding
  metadata: {name: deployers}
  roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: deployer}
  subjects: [{kind: Group, name: dev}]
abac: |
  {"apiVersion": "abac.authorization.kubernetes.io/v1beta1", "kind": "Policy", "spec": {"user": "bob", "namespace": "*", "resource": "pods", "readonly": true}}
`;

async function open(text: string) {
  writeRules(text);
  const lines: string[] = [];
  const logger = createLogger({ name: "test", format: "text", write: (line) => lines.push(line) });
  const rules = await openReloadingAuthorizationRules({ file: rulesFile, logger });
  const endpoint = await authorizationEndpoint({ rules: () => rules.current });
  const metrics = createMetricsRegistry({ processMetrics: false });
  const middleware = reviewMiddleware({ endpoints: [endpoint], callers: anyCaller, logger, metrics });
  const server = createServer((incoming, response) => middleware(incoming, response, () => response.end()));
  const post = async (review: object) => {
    const { status, body } = await request(server).post("/authorize").send(review);
    return [status, body as JsonObject] as const;
  };
  return {
    rules,
    lines,
    metrics,
    post,
    /** The status of the answer. */
    async ask(spec: JsonObject, version = "v1") {
      const envelope = { apiVersion: `authorization.k8s.io/${version}`, kind: "SubjectAccessReview" };
      const [code, { status, ...rest }] = await post({ ...envelope, metadata: { creationTimestamp: null }, spec });
      assert.equal(code, 200);
      assert.deepEqual(rest, envelope);
      return status;
    },
  };
}

const deployments = (namespace: string) => ({ verb: "create", group: "apps", resource: "deployments", namespace });
const allowed = {
  allowed: true,
  reason: 'RBAC: allowed by ClusterRoleBinding "deployers" of ClusterRole "deployer" to Group "dev"',
};
const denied = { allowed: false, denied: true, reason: 'denied by "frozen": the freeze ends on Monday' };

describe("Authorization", () => {
  test("allows, denies or has no opinion, and tells the rule", async () => {
    const { ask, rules, metrics } = await open(own);
    using _ = rules;
    const dev = { user: "ann", groups: ["dev"] };
    assert.deepEqual(await ask({ ...dev, resourceAttributes: deployments("lab") }), allowed);
    assert.deepEqual(await ask({ ...dev, resourceAttributes: deployments("prod") }), denied);
    assert.deepEqual(await ask({ user: "ann", resourceAttributes: deployments("lab") }), { allowed: false });
    assert.deepEqual(await ask({ ...dev, nonResourceAttributes: { verb: "get", path: "/metrics" } }), allowed);
    assert.deepEqual(await ask({ ...dev, nonResourceAttributes: { verb: "get", path: "/x" } }), { allowed: false });
    assert.deepEqual(await ask({ user: "bob", resourceAttributes: { verb: "list", resource: "pods" } }), {
      allowed: true,
      reason: "ABAC: allowed by line 1",
    });
    const told = await metrics.render();
    for (const [outcome, count] of [
      ["allowed", 3],
      ["denied", 1],
      ["noOpinion", 2],
    ]) {
      assert.ok(told.includes(`gatehouse_webhook_reviews_total{hook="authorization",outcome="${outcome}"} ${count}`));
    }
  });

  test("understands both versions, which tell groups by different names", async () => {
    const { ask, rules } = await open(own);
    using _ = rules;
    const asked = { resourceAttributes: deployments("lab") };
    assert.deepEqual(await ask({ ...asked, user: "", group: ["dev"] }, "v1beta1"), allowed);
    assert.deepEqual(await ask({ ...asked, user: "ann", groups: ["dev"] }, "v1beta1"), { allowed: false });
    assert.deepEqual(await ask({ ...asked, groups: ["dev"], user: null, extra: null }), allowed);
    assert.deepEqual(await ask({ ...asked, groups: ["dev"], extra: { a: ["b"] }, uid: "7", later: true }), allowed);
  });

  test("what is no review is a 400 that says why", async () => {
    const { post, rules } = await open(own);
    using _ = rules;
    const envelope = { apiVersion: "authorization.k8s.io/v1", kind: "SubjectAccessReview" };
    const rows: readonly [object, string][] = [
      [{}, "null of null is no SubjectAccessReview of authorization.k8s.io/v1 or v1beta1"],
      [
        { ...envelope, kind: "TokenReview" },
        '"TokenReview" of "authorization.k8s.io/v1" is no SubjectAccessReview of authorization.k8s.io/v1 or v1beta1',
      ],
      [envelope, "SubjectAccessReview: spec: must be object"],
      [
        { ...envelope, spec: { user: 7, groups: ["a", {}], resourceAttributes: { verb: [] } } },
        "SubjectAccessReview: spec.resourceAttributes.verb: must be string; spec.user: must be string; spec.groups[1]: must be string",
      ],
      [
        { ...envelope, spec: { user: "ann" } },
        "SubjectAccessReview: spec: must have exactly one of resourceAttributes and nonResourceAttributes",
      ],
      [
        { ...envelope, spec: { user: "ann", resourceAttributes: {}, nonResourceAttributes: {} } },
        "SubjectAccessReview: spec: must have exactly one of resourceAttributes and nonResourceAttributes",
      ],
      [{ ...envelope, spec: { resourceAttributes: {} } }, "SubjectAccessReview: spec: must have a user or groups"],
      [
        { ...envelope, spec: { groups: Array(100_000).fill(1), resourceAttributes: {} } },
        "SubjectAccessReview: spec: has more than 12000 values",
      ],
      [
        { ...envelope, spec: { groups: Array(21).fill(1), resourceAttributes: {} } },
        `SubjectAccessReview: ${Array.from({ length: 20 }, (_, index) => `spec.groups[${index}]: must be string`).join("; ")}; and 1 more`,
      ],
    ];
    for (const [review, message] of rows) {
      const [code, body] = await post(review);
      assert.deepEqual([code, body["message"]], [400, message]);
    }
  });

  test("follows its rules, and keeps them when the new ones cannot be used", async () => {
    const { ask, rules, lines } = await open(own);
    using _ = rules;
    const asked = { user: "ann", groups: ["dev"], resourceAttributes: deployments("prod") };
    assert.deepEqual(await ask(asked), denied);
    for (const broken of ["rbac: [{kind: Role}]\n", "denials: [{name: a}]\n", "{", "abac: x\n"]) {
      writeRules(broken);
      assert.equal(await rules.checkNow(), "refused");
      assert.deepEqual(await ask(asked), denied);
    }
    assert.equal(lines.filter((line) => line.includes("keeping the old ones")).length, 4);
    writeRules(own.slice(own.indexOf("rbac:")));
    assert.equal(await rules.checkNow(), "reloaded");
    assert.deepEqual(await ask(asked), allowed);
  });
});

test("the rules that come with the project can be used", async () => {
  const path = "../../../../policies/library/authorization-rules/authorization-rules.yaml";
  using rules = await openReloadingAuthorizationRules({ file: fileURLToPath(new URL(path, import.meta.url)) });
  const access = {
    isResourceRequest: true,
    verb: "create",
    group: "",
    resource: "pods",
    subresource: "exec",
    path: "",
  };
  const verdict = rules.current.rules.decide(
    { username: "jane", groups: ["corp:dev"] },
    { ...access, namespace: "prod-1", name: "web" },
  );
  assert.deepEqual(verdict, {
    decision: "denied",
    reason: 'denied by "no-exec-in-production": look at the logs, or ask whoever is on call',
  });
});

describe("gatehouse-authorization", () => {
  const run = printedBy(runAuthorization);
  reviewProgramContract("gatehouse-authorization", run);

  test("does not start half-right", async () => {
    writeRules(`denials: [{name: a, reason: b, verbs: [get], user: [c]}]
rbac: []
`);
    const pair = ["--tls-cert-file=/no/such", "--tls-private-key-file=/no/such"];
    assert.deepEqual(await run(`--config=${rulesFile}`, ...pair), [
      1,
      `gatehouse-authorization: ${rulesFile}: denials[0].user: is not a member of this kind`,
    ]);
    writeRules(`rbac:
- {apiVersion: v1, kind: Pod}
- {apiVersion: rbac.authorization.k8s.io/v1, kind: Role, rules: [{verbs: get}]}
- {apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, roleref: {}}
`);
    assert.deepEqual(await run(`--config=${rulesFile}`, ...pair), [
      1,
      `gatehouse-authorization: ${rulesFile}: 4 problems:
  - rbac[0].kind: must be one of Role, ClusterRole, RoleBinding, ClusterRoleBinding of rbac.authorization.k8s.io/v1
  - rbac[1].rules[0].verbs: must be array
  - rbac[2].roleRef: is required
  - rbac[2].roleref: is not a member of this kind`,
    ]);
    writeRules(own);
    const [code, problem] = await run(`--config=${rulesFile}`, ...pair);
    assert.equal(code, 1);
    assert.match(problem, /callers: nothing says who may call/);
  });
});
