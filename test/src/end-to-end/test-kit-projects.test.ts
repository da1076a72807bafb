import assert from "node:assert/strict";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { startCommand } from "../support/running-command.js";

// The examples of the test kit, as projects outside of the checkout that have installed our packages from tarballs. What
// others publish comes from the registry that the checkout was installed from.

const root = fileURLToPath(new URL("../../../", import.meta.url));
const packed = [...["envelopes", "policies", "component-base", "apiserver", "custom-resources", "server", "testing"]];

/** The environment without the context of node:test, by which children would report to this process. */
const { NODE_TEST_CONTEXT: _context, ...inherited } = process.env;
const env = {
  ...inherited,
  NO_COLOR: "1",
  NPM_CONFIG_UPDATE_NOTIFIER: "false",
  NPM_CONFIG_AUDIT: "false",
  NPM_CONFIG_FUND: "false",
  NPM_CONFIG_PREFER_OFFLINE: "true",
};

/** Runs a command that must succeed; returns what it writes. */
async function ok(where: string, command: string): Promise<string> {
  const { code, stdout, stderr } = await startCommand(command, { folder: where, env }).ended;
  assert.equal(code, 0, `${command}\n${stdout}${stderr}`);
  return `${stdout}${stderr}`;
}

const skip = process.env["PROJECTS"] === "1" ? false : "a part of npm run soak";

describe("projects that test with the packed test kit", { skip }, () => {
  let folder = "";
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "gatehouse-test-kit-"));
    const tarballs = join(folder, "tarballs");
    await mkdir(tarballs);
    const folders = packed.map((workspace) => `'${join(root, workspace)}'`).join(" ");
    await ok(tarballs, `npm pack --silent --ignore-scripts ${folders}`);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  /** Copies an example out of the checkout and installs what it needs. Returns its folder. */
  async function install(example: string): Promise<string> {
    const project = join(folder, example);
    await cp(join(root, "examples", example), project, { recursive: true });
    await ok(project, "npm install ../tarballs/*.tgz");
    return project;
  }

  test("node:test runs the example, and the lines of the README", async () => {
    const project = await install("testing-node-test");
    const readme = await readFile(join(root, "testing", "README.md"), "utf8");
    const [, lines = ""] = /```js\n([\s\S]*?)```/.exec(readme) ?? [];
    await writeFile(join(project, "readme.test.js"), lines);
    assert.match(await ok(project, "npm test"), /^(?:#|ℹ) pass 3$/m);
  });

  test("vitest runs the example", async () => {
    assert.match(await ok(await install("testing-vitest"), "npm test"), /Tests {2}3 passed \(3\)/);
  });

  test("jest runs the example", async () => {
    assert.match(await ok(await install("testing-jest"), "npm test"), /Tests: {7}3 passed, 3 total/);
  });
});
