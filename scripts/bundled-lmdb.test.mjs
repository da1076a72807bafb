import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { bundledLmdb, isLeftOut } from "./bundled-lmdb.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "gatehouse-lmdb-"));
after(() => rmSync(folder, { recursive: true, force: true }));
symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));

const program = `import { open } from "lmdb";
void (async () => {
const store = open({ path: "data", encoding: "binary" });
await store.put("key", Buffer.from("value"));
console.log(String(store.get("key")));
try {
  open({ path: "other" });
} catch (error) {
  console.log(error.message);
}
})();
`;

test("a bundle with lmdb stores bytes by the native part of the package, and refuses values that are none", async () => {
  const { outputFiles, metafile } = await build({
    stdin: { contents: program, resolveDir: root },
    absWorkingDir: root,
    bundle: true,
    write: false,
    metafile: true,
    format: "cjs",
    platform: "node",
    define: { "import.meta": "importMeta" },
    banner: {
      js: 'const importMeta = { resolve: (name) => require("node:url").pathToFileURL(require.resolve(name)).href };',
    },
    plugins: [bundledLmdb],
  });
  writeFileSync(join(folder, "program.cjs"), outputFiles[0].contents);
  assert.ok(Object.keys(metafile.inputs).some(isLeftOut));
  assert.equal(
    execFileSync(process.execPath, ["program.cjs"], { cwd: folder, encoding: "utf8" }),
    'value\na database of lmdb has the encoding "binary" in this program\n',
  );
});
