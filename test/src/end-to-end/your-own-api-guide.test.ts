import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { eventually } from "@gatehouse/testing/eventually";
import { npmEnv, runIn } from "../support/installed-packages.js";
import { findKubectls } from "../support/kubectls.js";
import { startCommand } from "../support/running-command.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const guide = readFileSync(join(root, "docs/guides/your-own-api.md"), "utf8");
const folder = await mkdtemp(join(tmpdir(), "gatehouse-own-api-guide-"));
after(() => rm(folder, { recursive: true, force: true }));

const skip =
  process.platform !== "linux"
    ? "images are built on Linux"
    : (await findKubectls()).length === 0 && "kubectl is needed for this";

/** The commands of each block of shell commands. What they do in a cluster is in built-extensions.test.ts. */
const blocks = [...guide.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, text = ""]) => text.trim().split("\n"));

/** Returns the first cells of the rows of the table that follows a text. */
const firstCells = (text: string): readonly string[] =>
  [...(guide.split(text)[1]?.split("\n\n")[1] ?? "").matchAll(/^\| `([^`]+)` /gm)].map(([, cell = ""]) => cell);

test("the guide to an API of one's own goes as it says", { skip }, async () => {
  const [first = [], cluster = [], inFront = []] = blocks;
  // The packages are those of this checkout, in place of an npm install, which new-extension-project.test.ts does.
  assert.deepEqual(first.slice(1), ["cd shop", "npm install", "npm test", "npm run dev"]);
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
  await runIn(folder, (first[0] ?? "").replace("npx --package @gatehouse/apiserver ", "node_modules/.bin/"));
  const project = join(folder, "shop");
  await symlink(join(root, "node_modules"), join(project, "node_modules"));
  assert.match(await runIn(project, "npm test"), /# fail 0/);

  const dev = startCommand("npm run --silent dev", { folder: project, env: npmEnv });
  try {
    await eventually(() => assert.match(dev.stdout(), /Ctrl-C/, dev.stderr()));
    const printed = dev.stdout().match(/kubectl --kubeconfig=.*/g) ?? [];
    const shown = firstCells("prints commands to try in another terminal:");
    assert.deepEqual([...printed].map((command) => command.replace(/ --kubeconfig=\S+/, "")).sort(), [...shown].sort());
    for (const command of printed) {
      // The server in front reads the OpenAPI documents of the one behind a second after it has found it, as in v1.29.
      await eventually(() => runIn(project, command));
    }
  } finally {
    await dev.stop();
  }

  // The first build has the same flags but for the store, and is run by built-extensions.test.ts.
  const [command = ""] = inFront;
  assert.ok(command.startsWith(`${cluster[0]} --storage-backend=`), command);
  await runIn(project, command.replace("npx ", "node_modules/.bin/"));
  const files = await readdir(join(project, "deploy/base"));
  assert.deepEqual(files.sort(), [...firstCells("or 1970."), "kustomization.yaml"].sort());
  const definition = await readFile(join(project, "deploy/base/definition.yaml"), "utf8");
  const resource = /kubectl get (\S+) --namespace=shop/.exec(inFront.join("\n"))?.[1];
  assert.match(definition, new RegExp(`^  name: "?${resource?.replaceAll(".", "\\.")}"?$`, "m"));
});
