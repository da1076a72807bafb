import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { freePort } from "../support/free-port.js";
import { openKubectlShell } from "../support/kubectl-shell.js";
import { findKubectls } from "../support/kubectls.js";
import { startTestServer } from "../support/start-test-server.js";
import { until } from "../support/until.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const guide = readFileSync(join(root, "docs/guides/first-hook.md"), "utf8");

/** Returns the blocks of a language, or those without one. */
const blocksOf = (language: string): string[] =>
  [...guide.matchAll(/^```(\w*)\n(.*?)^```$/gms)]
    .filter(([, name]) => name === language)
    .map(([, , text = ""]) => text);

const kubectl = (await findKubectls()).at(-1);
const skip = (kubectl?.minor ?? 0) < 27 && "kubectl 1.27 or newer is needed for this";

test("the guide to a first hook goes as it says", { skip }, async () => {
  assert.ok(kubectl !== undefined);
  await using server = await startTestServer();
  await using shell = await openKubectlShell(kubectl, await server.kubeconfigFile());
  const inProject = (command: string): string => `export NPM_CONFIG_UPDATE_NOTIFIER=false; cd my-hooks && ${command}`;
  const [init = "", dev = "", create = "", takeBack = "", build = ""] = blocksOf("sh").map((block) => block.trim());

  // 1. The packages are those of this checkout, in place of an npm install, which new-project.test.ts does.
  assert.deepEqual(init.split("\n").slice(1), ["cd my-hooks", "npm install", "npm test"]);
  await symlink(join(root, "node_modules"), join(shell.folder, "node_modules"));
  assert.match(
    await shell.ok(
      `export NPM_CONFIG_UPDATE_NOTIFIER=false; ${init.split("\n")[0]?.replace("--package @gatehouse/webhooks ", "")}`,
    ),
    /^my-hooks is ready:/,
  );
  await shell.write("my-hooks/package-lock.json", JSON.stringify({ lockfileVersion: 3, packages: {} }));
  assert.match(guide, /The last line ends with `# pass 3`/);
  assert.match(await shell.ok(inProject("npm test")), /# pass 3\n# fail 0\n$/);

  // 2. What is shown is what was written.
  const source = await readFile(join(shell.folder, "my-hooks/src/hooks.ts"), "utf8");
  const [policyHooks = "", ...shown] = blocksOf("ts").toReversed();
  for (const line of shown.join("").split("\n")) {
    assert.ok(source.includes(line.trim()), line);
  }

  // 3.
  await shell.ok(inProject("sed -i 's/10/5/g' src/hooks.ts"));
  const { code, stdout } = await shell.run(inProject("npm test"));
  assert.equal(code, 1);
  assert.ok(stdout.includes(blocksOf("")[0] ?? ""), stdout);
  await shell.ok(
    inProject("sed -i 's/replicas: 10$/replicas: 5/; s/10 are allowed/5 are allowed/' cases/replicas.yaml"),
  );
  assert.match(await shell.ok(inProject("npm test")), /# pass 3\n# fail 0\n$/);

  // 4.
  assert.match(dev, /^export KUBECONFIG=.*\nnpm run dev$/);
  const development = shell.start(inProject(`npm run dev -- --port=${await freePort()}`));
  try {
    const denial = /The server answers `(.*?)`/s.exec(guide)?.[1]?.replace("\n", " ") ?? "";
    await until(`the hook is asked`, async () =>
      (await shell.run(`${create} --dry-run=server`)).stderr.includes(denial),
    );
    await shell.ok("kubectl create deployment small --image=nginx:1.25");
    assert.ok((await shell.fails("kubectl scale deployment small --replicas=6")).includes(denial));
  } finally {
    await development.stop("SIGINT");
  }
  assert.equal(await shell.ok(inProject(takeBack)), "nothing is registered as gatehouse-admission-dev\n");
  assert.equal(await shell.ok(create), "deployment.apps/web created\n");

  // 5. The image is not made, but a server takes the base.
  const written = await shell.ok(inProject(build));
  const next = written
    .trim()
    .split("\n")
    .map((line) => line.trim());
  assert.equal(next[1], "docker build -f deploy/Dockerfile -t registry.example.com/my-hooks:1 .");
  const applied = await shell.ok(inProject(next[2] ?? ""));
  assert.deepEqual(
    applied.split("\n").filter((line) => !line.endsWith(" created")),
    [""],
  );
  assert.equal(
    await shell.ok(
      "kubectl get deployment -n gatehouse-admission -o jsonpath='{.items[*].spec.template.spec.containers[*].image}'",
    ),
    "registry.example.com/my-hooks:1",
  );

  // 6. The hook that is also a policy.
  await shell.write("my-hooks/src/policy-hooks.ts", policyHooks);
  await shell.ok(inProject("npx tsc"));
  const policies = await shell.ok(inProject("npx gatehouse-admission policies dist/policy-hooks.js"));
  assert.match(policies, /^kind: ValidatingAdmissionPolicy$/m);
  assert.match(policies, /^kind: ValidatingAdmissionPolicyBinding$/m);
});
