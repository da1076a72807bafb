import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createHttpClient } from "@gatehouse/component-base/http-client";
import type { ControlPlane } from "@gatehouse/testing";
import { startTestServer } from "../support/start-test-server.js";
import { readLibrary } from "./library-files.js";
import { ObjectClient } from "./object-client.js";
import { comparePodSecurity } from "./pod-security-agreement.js";
import { runLibraryPolicy } from "./run-library-policy.js";

const policies = await readLibrary();

describe("the policies of the library, by their cases", () => {
  let server: ControlPlane;

  before(async () => {
    server = await startTestServer({
      flags: [
        "--controllers=system-namespaces-controller",
        "--disable-admission-plugins=ServiceAccount",
        "--feature-gates=ValidatingAdmissionPolicy=true,ProcMountType=true",
        "--allow-privileged=true",
        "--runtime-config=admissionregistration.k8s.io/v1beta1=true",
      ],
    });
  });

  after(() => server.stop());

  for (const policy of policies) {
    test(`${policy.file} decides as its cases say`, async () => {
      using http = createHttpClient({ config: server.clientConfig });
      assert.deepEqual(await runLibraryPolicy(new ObjectClient(http), policy, 0), []);
    });
  }

  test("the plugin PodSecurity and the policies about it agree on every pod of the plugin's table", async () => {
    using http = createHttpClient({ config: server.clientConfig });
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
