import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { auditAttributesOf } from "./audit-attributes.js";
import { type CompiledAuditPolicy, compileAuditPolicy } from "./compile-audit-policy.js";
import { parseAuditPolicy } from "./read-audit-policy.js";

const folder = new URL("../../library/audit/", import.meta.url);

async function read(name: string): Promise<CompiledAuditPolicy> {
  const reading = await parseAuditPolicy(readFileSync(new URL(`${name}.yaml`, folder), "utf8"));
  assert.deepEqual(reading.warnings, []);
  assert.ok(reading.policy !== undefined, JSON.stringify(reading));
  return compileAuditPolicy(reading.policy);
}

const person = { username: "jane", groups: ["dev", "system:authenticated"] };
const node = { username: "system:node:n1", groups: ["system:nodes", "system:authenticated"] };
const manager = { username: "system:kube-controller-manager", groups: ["system:authenticated"] };
const controller = {
  username: "system:serviceaccount:kube-system:deployment-controller",
  groups: ["system:serviceaccounts", "system:serviceaccounts:kube-system", "system:authenticated"],
};
const anonymous = { username: "system:anonymous", groups: ["system:unauthenticated"] };

/** Requests with their levels under the policies minimal, recommended, security, full. */
const cases: readonly [typeof person, string, string, readonly [string, string, string, string]][] = [
  [person, "create", "/apis/apps/v1/namespaces/a/deployments", ["Metadata", "Request", "Request", "RequestResponse"]],
  [person, "create", "/api/v1/namespaces/a/pods", ["Metadata", "Request", "RequestResponse", "RequestResponse"]],
  [person, "list", "/api/v1/pods", ["None", "Metadata", "Metadata", "RequestResponse"]],
  [person, "get", "/api/v1/namespaces/a/pods/p/log", ["None", "Metadata", "Metadata", "RequestResponse"]],
  [person, "get", "/api/v1/namespaces/a/pods/p/exec", ["Metadata", "Metadata", "Request", "RequestResponse"]],
  [person, "get", "/api/v1/namespaces/a/secrets/s", ["None", "Metadata", "Metadata", "Metadata"]],
  [person, "create", "/api/v1/namespaces/a/secrets", ["Metadata", "Metadata", "Metadata", "Metadata"]],
  [person, "update", "/api/v1/namespaces/a/configmaps/c", ["Metadata", "Metadata", "Metadata", "RequestResponse"]],
  [person, "create", "/api/v1/namespaces/a/serviceaccounts/s/token", ["Metadata", "Metadata", "Metadata", "Metadata"]],
  [
    person,
    "create",
    "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
    ["Metadata", "Request", "RequestResponse", "RequestResponse"],
  ],
  [
    person,
    "create",
    "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
    ["None", "Request", "Request", "RequestResponse"],
  ],
  [
    node,
    "update",
    "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/n1",
    ["None", "None", "None", "RequestResponse"],
  ],
  [
    person,
    "update",
    "/apis/coordination.k8s.io/v1/namespaces/a/leases/l",
    ["None", "Request", "Request", "RequestResponse"],
  ],
  [node, "patch", "/api/v1/nodes/n1/status", ["None", "None", "None", "RequestResponse"]],
  [node, "get", "/api/v1/namespaces/a/secrets/s", ["None", "Metadata", "Metadata", "Metadata"]],
  [node, "watch", "/api/v1/pods", ["None", "None", "Metadata", "RequestResponse"]],
  [manager, "update", "/api/v1/namespaces/a/endpoints/e", ["None", "None", "Request", "RequestResponse"]],
  [controller, "list", "/apis/apps/v1/deployments", ["None", "None", "Metadata", "RequestResponse"]],
  [
    controller,
    "update",
    "/apis/apps/v1/namespaces/a/deployments/d",
    ["Metadata", "Request", "Request", "RequestResponse"],
  ],
  [controller, "create", "/api/v1/namespaces/a/events", ["None", "None", "None", "RequestResponse"]],
  [anonymous, "get", "/readyz", ["None", "None", "None", "RequestResponse"]],
  [anonymous, "get", "/readyz/etcd", ["None", "None", "Metadata", "RequestResponse"]],
  [anonymous, "get", "/metrics", ["None", "Metadata", "Metadata", "RequestResponse"]],
  [person, "get", "/apis/apps/v1", ["None", "None", "Metadata", "RequestResponse"]],
];

describe("the policies of the library", () => {
  const names = ["minimal", "recommended", "security", "full"];

  test("are all looked at here", () => {
    const files = readdirSync(folder).filter((name) => name.endsWith(".yaml"));
    assert.deepEqual(files.sort(), names.map((name) => `${name}.yaml`).sort());
  });

  for (const [index, name] of names.entries()) {
    test(`${name} is valid, and records what its head says`, async () => {
      const policy = await read(name);
      for (const [user, verb, requestURI, levels] of cases) {
        const { level } = policy.evaluate(auditAttributesOf({ verb, requestURI, user }));
        assert.equal(level, levels[index], `${user.username} ${verb} ${requestURI}`);
      }
    });
  }
});
