import assert from "node:assert/strict";
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { after, test } from "node:test";
import { productionPackages } from "./production-packages.js";

const folder = await realpath(await mkdtemp(join(tmpdir(), "gatehouse-packages-")));
after(() => rm(folder, { recursive: true }));

/** Writes packages by their folders, with the names that these give them. */
async function write(packages: Readonly<Record<string, object>>): Promise<void> {
  for (const [path, manifest] of Object.entries(packages)) {
    const name = path.includes("node_modules/") ? path.split("node_modules/").at(-1) : basename(path);
    const content = JSON.stringify({ name, version: "1.0.0", ...manifest });
    for (const [file, text] of [
      ["package.json", content],
      ["index.js", ""],
      ["index.js.map", ""],
      ["index.d.ts", ""],
    ] as const) {
      const target = join(folder, path, file);
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, text);
    }
  }
}

async function placesOf(project: string): Promise<Record<string, string>> {
  const files = await productionPackages(join(folder, project), process.env);
  return Object.fromEntries(files.map(({ path, source }) => [path, source.slice(folder.length + 1)]));
}

test("packages keep their places, those for development and the text for compilers are left out", async () => {
  await write({
    plain: { dependencies: { a: "1", "@s/b": "1" }, devDependencies: { compiler: "1" } },
    "plain/node_modules/a": { dependencies: { c: "1" }, optionalDependencies: { absent: "1" } },
    "plain/node_modules/a/node_modules/c": { version: "1.0.0" },
    "plain/node_modules/@s/b": {
      dependencies: { c: "2" },
      peerDependencies: { compiler: "1" },
      peerDependenciesMeta: { compiler: { optional: true } },
    },
    "plain/node_modules/c": { version: "2.0.0" },
    "plain/node_modules/compiler": {},
  });
  const found = await placesOf("plain");
  const packages = ["a", "a/node_modules/c", "@s/b", "c"].flatMap((name) =>
    ["index.js", "package.json"].map((file) => `node_modules/${name}/${file}`),
  );
  // Where a place is free, the topmost one is taken; the other package of the name is below the one that needs it.
  assert.equal(Object.keys(found).length, packages.length);
  const sources = new Set(Object.values(found));
  assert.deepEqual(sources, new Set(packages.map((path) => `plain/${path}`)));
  const source = (place: string): string | undefined => found[`node_modules/${place}/package.json`];
  assert.equal(source("a"), "plain/node_modules/a/package.json");
  assert.equal(source("c"), "plain/node_modules/a/node_modules/c/package.json");
  assert.equal(source("@s/b/node_modules/c"), "plain/node_modules/c/package.json");
});

test("a linked package is copied as npm would publish it, with what it finds where it lies", async () => {
  await write({
    linking: { dependencies: { lib: "1" } },
    "elsewhere/lib": { files: ["index.js"], dependencies: { d: "1" } },
    "elsewhere/node_modules/d": {},
  });
  await writeFile(join(folder, "elsewhere/lib/secret.txt"), "");
  await mkdir(join(folder, "linking/node_modules"));
  await symlink(join(folder, "elsewhere/lib"), join(folder, "linking/node_modules/lib"));
  assert.deepEqual(await placesOf("linking"), {
    "node_modules/lib/index.js": "elsewhere/lib/index.js",
    "node_modules/lib/package.json": "elsewhere/lib/package.json",
    "node_modules/d/index.js": "elsewhere/node_modules/d/index.js",
    "node_modules/d/package.json": "elsewhere/node_modules/d/package.json",
  });
});

test("packages that are not installed are named with those that need them", async () => {
  await write({ bare: { dependencies: { e: "1", f: "1" } }, "bare/node_modules/e": { dependencies: { g: "1" } } });
  await assert.rejects(productionPackages(join(folder, "bare"), process.env), {
    message:
      /f: is not installed, and the project needs it: run `npm install`[\s\S]*g: is not installed, and e needs it/,
  });
});
