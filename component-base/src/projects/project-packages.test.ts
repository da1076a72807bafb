import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { projectPackages } from "./project-packages.js";

const folder = await mkdtemp(join(tmpdir(), "gatehouse-projects-"));
after(() => rm(folder, { recursive: true }));

/** Installs `@gatehouse/server-kit`, which needs `@gatehouse/base`; npm's record says that both came from `origin`. */
async function install(name: string, origin: string): Promise<string> {
  const modules = join(folder, name, "node_modules");
  const packages = { "server-kit": { "@gatehouse/base": "2.0.1", yaml: "^2.0.0" }, base: {} };
  for (const [each, dependencies] of Object.entries(packages)) {
    await mkdir(join(modules, "@gatehouse", each), { recursive: true });
    const manifest = { name: `@gatehouse/${each}`, version: "2.0.1", dependencies };
    await writeFile(join(modules, "@gatehouse", each, "package.json"), JSON.stringify(manifest));
  }
  const record = Object.keys(packages).map((each) => [
    `node_modules/@gatehouse/${each}`,
    { resolved: `${origin}/${each}-2.0.1.tgz` },
  ]);
  await writeFile(join(modules, ".package-lock.json"), JSON.stringify({ packages: Object.fromEntries(record) }));
  return pathToFileURL(join(modules, "@gatehouse/server-kit/main.js")).href;
}

const named = { runtime: ["@gatehouse/server-kit"], development: ["@gatehouse/test-kit"] };

test("packages from a registry are named by the exact version, also those for development, which are not installed", async () => {
  const from = await install("published", "https://registry.example.com");
  assert.deepEqual(await projectPackages({ ...named, from }, join(folder, "project"), {}), {
    dependencies: { "@gatehouse/server-kit": "2.0.1" },
    devDependencies: { "@gatehouse/test-kit": "2.0.1" },
  });
});

test("a package that no registry has and that is not installed is reported by its name", async () => {
  const from = await install("packed", "file:tarballs");
  await assert.rejects(projectPackages({ ...named, from }, join(folder, "project"), {}), {
    message: "package: @gatehouse/test-kit: is not installed beside this program",
  });
});
