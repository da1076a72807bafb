import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, test } from "node:test";
import { createHttpClient } from "@gatehouse/component-base/http-client";
import { readPolicyCases } from "@gatehouse/policies/policy-cases";
import { auditPolicy, readAuditLog } from "../admission-policies/audit-annotations.js";
import { type PolicyServer, startPolicyServer } from "../support/policy-server.js";
import { readCaseFile, readLibrary } from "./library-files.js";
import { ObjectClient } from "./object-client.js";
import { comparePodSecurity } from "./pod-security-agreement.js";
import { runLibraryPolicy } from "./run-library-policy.js";

const policies = await readLibrary();

describe("the policies of the library, by their cases", () => {
  let policyServer: PolicyServer;

  before(async () => {
    policyServer = await startPolicyServer(auditPolicy);
  });

  after(async () => await policyServer?.[Symbol.asyncDispose]());

  for (const policy of policies) {
    test(`${policy.file} decides as its cases say`, async () => {
      using http = createHttpClient({ config: policyServer.server.clientConfig });
      const client = new ObjectClient(http);
      const annotationsOf = readAuditLog(policyServer.auditLog);
      assert.deepEqual(await runLibraryPolicy({ client, patienceMs: 0, annotationsOf }, policy), []);
    });
  }

  test("the plugin PodSecurity and the policies about it agree on every pod of the plugin's table", async () => {
    using http = createHttpClient({ config: policyServer.server.clientConfig });
    const { pods, violations, differences } = await comparePodSecurity(new ObjectClient(http), policies, 0);
    assert.deepEqual(differences, []);
    assert.ok(pods > 300 && violations > 200, `${pods} pods, ${violations} with violations`);
  });
});

test("the library has policies of every category, each with a title, a description and a binding of its name", () => {
  assert.ok(policies.length >= 40);
  for (const { file, policy, binding, cases } of policies) {
    const { name, annotations } = policy["metadata"] as { name: string; annotations: Record<string, string> };
    for (const key of ["title", "category", "description"]) {
      assert.ok(annotations[`library.gatehouse.dev/${key}`], `${file}: ${key}`);
    }
    assert.ok(file.endsWith(`/${name.replace(/\.library\.gatehouse\.dev$/, "")}.yaml`), file);
    assert.equal((binding["spec"] as { policyName: string }).policyName, name);
    const verdicts = new Set(cases.map(({ expect }) => expect.allowed && (expect.warnings ?? []).length === 0));
    assert.deepEqual([...verdicts].sort(), [false, true], `${file}: cases of both verdicts`);
  }
});

const guide = new URL("../../../docs/guides/policy-tests.md", import.meta.url);

test("the examples of the guide are valid, and its mistakes are told as it says", async () => {
  const examples = [...(await readFile(guide, "utf8")).matchAll(/```yaml\n(.*?)```/gs)].map(([, text = ""]) => text);
  assert.equal(examples.length, 2);
  const policiesOfGuide = new Set(["replica-limits.library.gatehouse.dev"]);
  const subjects = { policies: policiesOfGuide, definitions: new Set(["crontabs.stable.example.com"]) };
  for (const example of examples) {
    const { cases, problems } = readPolicyCases([await readCaseFile("guide.yaml", example)], subjects);
    assert.deepEqual(problems, []);
    assert.ok(cases.length > 0);
  }
  const wrong = (examples[0] ?? "")
    .replace(/(other maximum\n.*\n.*base: )deployment/, "$1deploymnet")
    .replace(/^( *)message: .*$/m, "$&\n$1reason: Wrong");
  const { problems } = readPolicyCases([await readCaseFile("cases/replica-limits.yaml", wrong)], subjects);
  const told = /```\n(cases\/replica-limits.*?)```/s.exec(await readFile(guide, "utf8"))?.[1];
  assert.equal(`${problems.map(({ file, path, text }) => `${file}: ${path}: ${text}`).join("\n")}\n`, told);
});
