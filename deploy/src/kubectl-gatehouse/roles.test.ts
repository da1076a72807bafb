import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { fileURLToPath } from "node:url";

const folder = mkdtempSync(join(tmpdir(), "gatehouse-roles-"));
after(() => rmSync(folder, { recursive: true }));
const program = fileURLToPath(new URL("main.js", import.meta.url));

function roles(...argv: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, "roles", ...argv], { encoding: "utf8" });
  return { status, stdout, stderr };
}

function file(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

function event(verb: string, requestURI: string, minute: number, annotations = {}): string {
  return JSON.stringify({
    kind: "Event",
    apiVersion: "audit.k8s.io/v1",
    level: "Metadata",
    auditID: String(minute),
    stage: "ResponseComplete",
    requestURI,
    verb,
    user: { username: "system:serviceaccount:ci:deployer" },
    requestReceivedTimestamp: `2026-01-01T00:0${minute}:00.000000Z`,
    annotations,
  });
}

describe("kubectl gatehouse roles", () => {
  test("prints the roles and bindings to apply, what they are based on, and what a present role allows in vain", () => {
    const audit = file(
      "audit.log",
      [
        event("get", "/version", 1),
        event("patch", "/apis/apps/v1/namespaces/shop/deployments/web", 2),
        event("list", "/api/v1/nodes", 3),
        event("list", "/api/v1/namespaces/a/pods", 4),
        event("list", "/api/v1/namespaces/b/pods", 5),
        event("delete", "/api/v1/nodes/n", 6, { "authorization.k8s.io/decision": "forbid" }),
        "",
      ].join("\n"),
    );
    const role = file(
      "role.yaml",
      "kind: ClusterRole\nrules:\n- {apiGroups: [apps], resources: [deployments], verbs: [patch, delete]}\n",
    );
    const user = "system:serviceaccount:ci:deployer";
    const { status, stdout, stderr } = roles("--from-audit", audit, "--user", user, "--compare", role);
    assert.equal(stderr, "");
    assert.equal(status, 0);
    const subjects = "subjects:\n  - kind: ServiceAccount\n    name: deployer\n    namespace: ci\n";
    const head = (kind: string, name: string, namespace?: string) =>
      `---\napiVersion: rbac.authorization.k8s.io/v1\nkind: ${kind}\nmetadata:\n  name: ${name}\n${
        namespace === undefined ? "" : `  namespace: ${namespace}\n`
      }`;
    const ref = (kind: string, name: string) =>
      `roleRef:\n  apiGroup: rbac.authorization.k8s.io\n  kind: ${kind}\n  name: ${name}\n`;
    const rule = (group: string, resource: string, verb: string, names = "") =>
      `rules:\n  - apiGroups:\n      - ${group}\n    resources:\n      - ${resource}\n${names}    verbs:\n      - ${verb}\n`;
    assert.equal(
      stdout,
      [
        `# What ${user} was seen doing: 6 audit events from 2026-01-01T00:01:00.000000Z to 2026-01-01T00:06:00.000000Z, from ${audit}.\n`,
        "# What happens rarely may be missing; what admission and the rules against escalation ask for is in no audit event.\n",
        "# Not repeated here, since everybody who is authenticated may do it: get /version.\n",
        "# Denied when it was tried, and not granted here: delete nodes.\n",
        `# What ${role} allows and nobody was seen to use:\n# - delete deployments.apps\n`,
        head("ClusterRole", "deployer-seen") + rule('""', "nodes", "list"),
        head("ClusterRoleBinding", "deployer-seen") + ref("ClusterRole", "deployer-seen") + subjects,
        head("ClusterRole", "deployer-seen-shared-1") + rule('""', "pods", "list"),
        head("RoleBinding", "deployer-seen-shared-1", "a") + ref("ClusterRole", "deployer-seen-shared-1") + subjects,
        head("RoleBinding", "deployer-seen-shared-1", "b") + ref("ClusterRole", "deployer-seen-shared-1") + subjects,
        head("Role", "deployer-seen", "shop") +
          rule("apps", "deployments", "patch", "    resourceNames:\n      - web\n"),
        head("RoleBinding", "deployer-seen", "shop") + ref("Role", "deployer-seen") + subjects,
      ].join(""),
    );
  });

  const mistakes: readonly [string, readonly string[], string][] = [
    [
      "a file that is not there",
      ["--from-audit", "/none", "--user", "u"],
      "ENOENT: no such file or directory, open '/none'",
    ],
    ["a folder in the place of a file", ["--from-audit", folder, "--user", "u"], `${folder} is a folder`],
    ["a line that is not JSON", ["--from-audit", file("bad", "{}\n{"), "--user", "u"], "line 1: is no audit event"],
    ["an address without TLS", ["--from-audit", "http://localhost", "--user", "u"], "is asked over https"],
    ["a user without events", ["--from-audit", file("empty", ""), "--user", "u"], "holds no event of u"],
    ["a user that is not named", ["--from-audit", "-"], "--user NAME is required"],
    ["a limit that is no number", ["--from-audit", "-", "--user", "u", "--max-names", "x"], "must be a whole number"],
    ["a flag that does not exist", ["--from", "x"], "unknown flag: --from"],
  ];
  for (const [name, argv, message] of mistakes) {
    test(`tells in one line: ${name}`, () => {
      const { status, stdout, stderr } = roles(...argv);
      assert.equal(status, 1);
      assert.equal(stdout, "");
      assert.match(stderr, /^kubectl gatehouse: [^\n]+\n$/);
      assert.ok(stderr.includes(message), stderr);
    });
  }
});
