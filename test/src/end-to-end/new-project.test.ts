import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { admissionScript } from "../support/hook-server.js";
import { installToolkit, npmEnv, runIn } from "../support/installed-packages.js";
import { startCommand } from "../support/running-command.js";

// A hook project from the first command to the image, in folders outside of the checkout. What others publish comes from the
// registry that the checkout was installed from.

const root = fileURLToPath(new URL("../../../", import.meta.url));
const skip = process.env["PROJECTS"] === "1" ? false : "a part of npm run soak";
const folder = await mkdtemp(join(tmpdir(), "gatehouse-new-project-"));
after(() => rm(folder, { recursive: true, force: true }));

/** Follows a container file as far as that can be done without one: copies, and runs, in a folder that becomes the image. */
async function buildImage(project: string, image: string): Promise<readonly string[]> {
  const instructions = (await readFile(join(project, "deploy/Dockerfile"), "utf8")).trim().split("\n");
  const ignored = (await readFile(join(project, "deploy/Dockerfile.dockerignore"), "utf8")).split("\n");
  await mkdir(image);
  let entry: readonly string[] = [];
  for (const instruction of instructions) {
    const [, keyword, words = ""] = /^(\w+) (.*)$/.exec(instruction) ?? [];
    if (keyword === "RUN") {
      await runIn(image, words);
    } else if (keyword === "ENTRYPOINT") {
      entry = JSON.parse(words);
    } else if (keyword === "COPY" && words === ". .") {
      const filter = (path: string): boolean =>
        !ignored.includes(`**/${basename(path)}`) && !ignored.includes(basename(path));
      cpSync(project, image, { recursive: true, filter });
    } else if (keyword === "COPY") {
      const [from = "", to = ""]: readonly string[] = words.startsWith("[") ? JSON.parse(words) : words.split(" ");
      await mkdir(join(image, dirname(to)), { recursive: true });
      await runIn(project, `cp -r ${from} '${join(image, to)}'`);
    }
  }
  return entry;
}

async function assertImageWorks(project: string): Promise<void> {
  const image = `${project}-image`;
  const entry = await buildImage(project, image);
  const command = `${entry.join(" ")} register --module=dist/hooks.js --url=https://hooks.example.com`;
  assert.match(await runIn(image, command), /kind: ValidatingWebhookConfiguration/);
}

test("a project made by packages from tarballs needs neither those nor a checkout, and its image can be built", {
  skip,
}, async () => {
  const tools = join(folder, "tools");
  await mkdir(tools);
  await installToolkit(tools);
  await runIn(folder, "./tools/node_modules/.bin/gatehouse-admission init my-hooks");
  await rm(tools, { recursive: true });
  const project = join(folder, "my-hooks");
  await runIn(project, "npm install");
  assert.match(await runIn(project, "npm test"), /# pass 3\n# fail 0\n$/);
  await runIn(project, "npx gatehouse-admission build --module dist/hooks.js --image registry.example.com/my-hooks:1");
  await assertImageWorks(project);
  // The keys that `dev` makes are not for a repository.
  assert.match(await readFile(join(project, ".gitignore"), "utf8"), /^\.gatehouse\/$/m);
});

test("a project that is linked to a checkout works, and build tells how to make it one whose image can be built", {
  skip,
}, async () => {
  const project = join(folder, "linked-hooks");
  await runIn(folder, `node '${admissionScript}' init linked-hooks`);
  const manifest = JSON.parse(await readFile(join(project, "package.json"), "utf8"));
  const named = ["envelopes", "webhooks"];
  manifest.dependencies = Object.fromEntries(
    named.map((workspace) => [`@gatehouse/${workspace}`, `file:${join(root, workspace)}`]),
  );
  await writeFile(join(project, "package.json"), JSON.stringify(manifest));
  await runIn(project, "npm install");
  assert.match(await runIn(project, "npm test"), /# pass 3\n# fail 0\n$/);
  const build = "npx gatehouse-admission build --module dist/hooks.js --image registry.example.com/linked-hooks:1";
  const { code, stderr } = await startCommand(build, { folder: project, env: npmEnv }).ended;
  assert.equal(code, 1);
  const [, what, remedy = ""] =
    /^gatehouse-admission: package-lock\.json: (.*?); install copies: (.*)$/m.exec(stderr) ?? [];
  assert.match(what ?? stderr, /node_modules\/@gatehouse\/webhooks \(.*\): outside of the project, so the image/);
  await runIn(project, remedy);
  await runIn(project, build);
  await assertImageWorks(project);
});
