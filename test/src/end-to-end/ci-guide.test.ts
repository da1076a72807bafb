import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { openKubectlShell } from "../support/kubectl-shell.js";
import { findKubectls } from "../support/kubectls.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const guide = readFileSync(join(root, "docs/guides/ci-and-tests.md"), "utf8");

function blocksOf(language: string): string[] {
  return [...guide.matchAll(/^```(\w*)\n(.*?)^```$/gms)]
    .filter(([, name]) => name === language)
    .map(([, , text = ""]) => text.trim());
}

const kubectl = (await findKubectls()).at(-1);
const skip = kubectl === undefined && "kubectl is needed for this";

test("the commands of the guide to CI start a control plane, use it from a shell and from JavaScript, and end it", {
  skip,
}, async () => {
  assert.ok(kubectl !== undefined);
  // The commands set KUBECONFIG themselves.
  await using shell = await openKubectlShell(kubectl, "/dev/null");
  // The packages of this checkout stand for those that would be installed.
  await symlink(join(root, "node_modules"), join(shell.folder, "node_modules"));
  const [start = "", use = "", end = ""] = blocksOf("sh");
  const [install = "", ...started] = start.split("\n");
  assert.equal(install, "npm install --no-save @gatehouse/deploy");
  const [client = ""] = blocksOf("js");
  await writeFile(join(shell.folder, "namespaces.mjs"), client);
  const { code, stdout, stderr } = await shell.run(
    [
      "set -e",
      "export NPM_CONFIG_UPDATE_NOTIFIER=false",
      ...started,
      use,
      "echo",
      "node namespaces.mjs",
      end,
      "ls",
    ].join("\n"),
  );
  assert.equal(code, 0, stderr);
  assert.equal(
    stdout,
    `namespace/ci created\nconfigmap/settings created\nblue\nci default kube-node-lease kube-public kube-system\n${[
      "control-plane.log",
      "namespaces.mjs",
      "node_modules",
    ].join("\n")}\n`,
  );
});
