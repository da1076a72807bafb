import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";

const folder = mkdtempSync(join(tmpdir(), "gatehouse-launcher-"));
after(() => rmSync(folder, { recursive: true, force: true }));

copyFileSync(fileURLToPath(new URL("bundle-launcher.mjs", import.meta.url)), join(folder, "launch.mjs"));
const filler = `const filler = [\n${"  1234567890,\n".repeat(5000)}];\n`;
writeFileSync(join(folder, "shared.cjs"), `${filler}exports.greeting = () => "hello";\n`);
writeFileSync(
  join(folder, "program.cjs"),
  `const shared = require("./shared.cjs");
const { basename } = require("node:path");
setTimeout(() => console.log(shared.greeting(), basename(importMeta.url), shared === require("./shared.cjs")), Number(process.argv[2]));
`,
);
writeFileSync(join(folder, "program.mjs"), 'import { launch } from "./launch.mjs";\nlaunch("program.cjs");\n');

async function run(livesForMs) {
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, "program.mjs"), String(livesForMs)]);
  return stdout;
}

const kept = () => readdirSync(folder).filter((name) => name.includes(".code"));
const said = "hello launch.mjs true\n";

test("a program that ends soon runs, and keeps no compiled code", async () => {
  assert.equal(await run(0), said);
  assert.deepEqual(kept(), []);
});

test("compiled code of large files is kept by a program that stays, taken by later ones, and made anew when it is damaged", async () => {
  assert.equal(await run(3500), said);
  assert.deepEqual(kept(), ["shared.cjs.code"]);
  assert.equal(await run(0), said);
  for (const damaged of [
    Buffer.alloc(0),
    Buffer.from("not code"),
    readFileSync(join(folder, "shared.cjs.code")).subarray(0, 200),
  ]) {
    writeFileSync(join(folder, "shared.cjs.code"), damaged);
    assert.equal(await run(0), said);
  }
  assert.equal(await run(3500), said);
  assert.ok(readFileSync(join(folder, "shared.cjs.code")).length > 200);
});

test("a thread keeps the compiled code of what it has loaded when it ends, however soon that is", async () => {
  writeFileSync(join(folder, "threaded.cjs"), `${filler}setTimeout(() => {}, 1);\n`);
  writeFileSync(join(folder, "threaded.mjs"), 'import { launch } from "./launch.mjs";\nlaunch("threaded.cjs");\n');
  const worker = new Worker(join(folder, "threaded.mjs"));
  await once(worker, "exit");
  assert.ok(kept().includes("threaded.cjs.code"));
});

test("small files that several programs share lie in one file, whose code is kept again by a program that needs more of it", async () => {
  const chunk = (name) =>
    `"${name}.cjs"(module, exports, require, importMeta) { ${"exports.f = () => 1;\n".repeat(2000)}
const { basename } = require("node:path");
exports.told = "${name} of " + basename(importMeta.url); },\n`;
  writeFileSync(join(folder, "chunks.cjs"), `module.exports = {\n${chunk("small")}${chunk("other")}};\n`);
  writeFileSync(
    join(folder, "packed.cjs"),
    `const names = process.argv[3].split(",");
const told = names.map((name) => require("./" + name + ".cjs").told);
setTimeout(() => console.log(told.join(), names.every((name) => require("./" + name + ".cjs") === require("./" + name + ".cjs"))), Number(process.argv[2]));
`,
  );
  writeFileSync(
    join(folder, "packed.mjs"),
    'import { launch } from "./launch.mjs";\nlaunch("packed.cjs", "chunks.cjs");\n',
  );
  const runPacked = async (names, livesForMs) =>
    (await promisify(execFile)(process.execPath, [join(folder, "packed.mjs"), String(livesForMs), names])).stdout;
  const sizeOfKept = () => readFileSync(join(folder, "chunks.cjs.code")).length;
  assert.equal(await runPacked("small", 3500), "small of launch.mjs true\n");
  const first = sizeOfKept();
  assert.equal(await runPacked("small,other", 3500), "small of launch.mjs,other of launch.mjs true\n");
  const second = sizeOfKept();
  assert.ok(second > first * 1.2, `${second} beside ${first}`);
  assert.equal(await runPacked("other", 3500), "other of launch.mjs true\n");
  assert.equal(sizeOfKept(), second);
});
