import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { thisProcess } from "@gatehouse/component-base/shutdown";
import { extensionProject } from "./extension-project.js";
import { runCommand } from "./run-command.js";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const folder = await mkdtemp(join(tmpdir(), "gatehouse-extension-"));
after(() => rm(folder, { recursive: true }));

async function run(...argv: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const out: string[] = [];
  const err: string[] = [];
  const print = (line: string): void => void out.push(line);
  const printError = (line: string): void => void err.push(line);
  // Without npm, nothing can be packed.
  const code = await runCommand(argv, { print, printError, process: thisProcess, env: { PATH: folder } });
  return { code, out: out.join("\n"), err: err.join("\n") };
}

/** Writes a project whose packages are those of the checkout, and compiles it. Returns its folder. */
async function compiledProject(): Promise<string> {
  const project = join(folder, "shop");
  for (const [path, text] of extensionProject("shop", { dependencies: {}, devDependencies: {} })) {
    await mkdir(dirname(join(project, path)), { recursive: true });
    await writeFile(join(project, path), text);
  }
  await symlink(join(root, "node_modules"), join(project, "node_modules"));
  execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc")], { cwd: project, stdio: "pipe" });
  return project;
}

test("a name that cannot be the name of a Service is refused", async () => {
  for (const name of ["1shop", "Shop", "my_shop"]) {
    const { code, err } = await run("init", join(folder, name));
    assert.equal(code, 1);
    assert.match(err, /^gatehouse-extension: arguments: NAME: a DNS-1035 label must consist of/);
  }
});

test("a folder that is not empty is refused and left as it was", async () => {
  const full = join(folder, "full");
  await mkdir(full);
  await writeFile(join(full, "notes.txt"), "");
  const { code, err } = await run("init", full);
  assert.deepEqual([code, err], [1, `gatehouse-extension: arguments: NAME: the folder ${full} is there and not empty`]);
  assert.deepEqual(await readdir(full), ["notes.txt"]);
});

test("a project that cannot be made for want of npm leaves its folder empty", async () => {
  const npmless = join(folder, "npmless");
  const { code, err } = await run("init", npmless);
  assert.equal(code, 1);
  assert.match(
    err,
    /^gatehouse-extension: npm: npm pack: the packages of Gatehouse cannot be packed: spawn npm ENOENT$/,
  );
  assert.deepEqual(await readdir(npmless), []);
});

test("the manifest of a project separates packages for development from those that the server needs", () => {
  const packages = {
    dependencies: { "@gatehouse/apiserver": "1.2.3" },
    devDependencies: { "@gatehouse/testing": "1.2.3" },
  };
  const manifest = JSON.parse(extensionProject("shop", packages).get("package.json") ?? "");
  assert.equal(manifest.name, "shop");
  assert.deepEqual(manifest.dependencies, packages.dependencies);
  assert.equal(manifest.devDependencies["@gatehouse/testing"], "1.2.3");
});

// The tests of the project become tests of this file.
await import(pathToFileURL(join(await compiledProject(), "dist/program.test.js")).href);
