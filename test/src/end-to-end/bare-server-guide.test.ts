import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { freePort } from "../support/free-port.js";
import { openKubectlShell } from "../support/kubectl-shell.js";
import { findKubectls } from "../support/kubectls.js";
import { until } from "../support/until.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const guide = readFileSync(join(root, "docs/guides/api-server-only.md"), "utf8");
const kubectl = (await findKubectls()).at(-1);
const skip = kubectl === undefined && "kubectl is needed for this";

test("the whole command line of the guide starts an API server that kubectl talks to", { skip }, async () => {
  assert.ok(kubectl !== undefined);
  await using shell = await openKubectlShell(kubectl, "/dev/null");
  // The packages of this checkout stand for those that would be installed.
  await symlink(join(root, "node_modules"), join(shell.folder, "node_modules"));
  const port = String(await freePort());
  const [start = "", use = ""] = [...guide.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, text = ""]) =>
    text.replaceAll("6443", port).replaceAll(/npx (?:--package \S+ )?/g, "node_modules/.bin/"),
  );
  const [install = "", pki = "", ...server] = start.split("\n");
  assert.equal(install, "npm install --no-save @gatehouse/server @gatehouse/deploy");
  assert.match(await shell.ok(pki), /^Certificates are in pki/);
  const running = shell.start(`exec ${server.join("\n")}`);
  const [kubeconfig = "", ready = "", list = ""] = use.split("\n");
  await until("the server is ready", async () => (await shell.run(`${kubeconfig} && ${ready}`)).stdout === "ok");
  assert.match(await shell.ok(`${kubeconfig} && ${list}`), /^default {2,}Active/m);
  await running.stop();
});
