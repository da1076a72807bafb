import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { readImageLayout } from "@gatehouse/component-base/images";
import { eventually } from "@gatehouse/testing/eventually";
import { installToolkit, npmEnv, runIn, serverPackages } from "../support/installed-packages.js";
import { startCommand } from "../support/running-command.js";

// The project of an extension API server from the first command on, in folders outside of the checkout. What others publish
// comes from the registry that the checkout was installed from.

const skip = process.env["PROJECTS"] === "1" ? false : "a part of npm run soak";
const folder = await mkdtemp(join(tmpdir(), "gatehouse-new-extension-"));
after(() => rm(folder, { recursive: true, force: true }));

/** Starts the server for development and runs the commands that it prints. */
async function assertDevelopmentWorks(project: string): Promise<void> {
  const dev = startCommand("npm run --silent dev", { folder: project, env: npmEnv });
  try {
    await eventually(() => assert.match(dev.stdout(), /Ctrl-C/, dev.stderr()));
    const commands = dev.stdout().match(/kubectl --kubeconfig=.*/g) ?? [];
    assert.equal(commands.length, 4);
    for (const command of commands) {
      // The server in front reads the OpenAPI documents of the one behind a second after it has found it, as in v1.29.
      await (command.includes(" explain ") ? eventually(() => runIn(project, command)) : runIn(project, command));
    }
  } finally {
    await dev.stop();
  }
}

test("a project made by packages from tarballs passes its tests, serves for development, and needs no checkout", {
  skip,
}, async () => {
  const tools = join(folder, "tools");
  await mkdir(tools);
  await installToolkit(tools, [], serverPackages);
  await runIn(folder, "./tools/node_modules/.bin/gatehouse-extension init shop");
  await rm(tools, { recursive: true });
  const project = join(folder, "shop");
  await runIn(project, "npm install");
  assert.match(await runIn(project, "npm test"), /^# pass 3\n# fail 0$/m);
  // Private keys are not for a repository.
  assert.match(await readFile(join(project, ".gitignore"), "utf8"), /^apiserver\.local\.config\/$/m);
  await assertDevelopmentWorks(project);
  const built = await runIn(project, "npx gatehouse-extension build --image=registry.example.com/shop:1.0.0");
  assert.match(built, /^written to deploy: the image registry\.example\.com\/shop:1\.0\.0 \(linux-/);
  const images = await readImageLayout(join(project, "deploy/image"));
  const { layers } = images.get("shop") ?? assert.fail("there is no image");
  const unpacked = join(folder, "unpacked");
  await mkdir(unpacked);
  await writeFile(join(folder, "layer.tar.gz"), layers[0] ?? "");
  await runIn(unpacked, "tar -xzf ../layer.tar.gz --no-same-owner");
  assert.match(
    await runIn(unpacked, "./usr/local/bin/node usr/lib/shop/dist/main.js --help"),
    /--authentication-kubeconfig/,
  );
  // The program for a cluster needs no packages for development, and is installed by the lock file in an image.
  await runIn(project, "npm ci --omit=dev --ignore-scripts");
  assert.match(await runIn(project, "node dist/main.js --help"), /--authentication-kubeconfig/);
});
