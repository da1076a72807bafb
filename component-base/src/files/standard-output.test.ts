import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, openSync } from "node:fs";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { makeFolder } from "./make-folder.js";

const folder = await mkdtemp(join(tmpdir(), "gatehouse-stdout-"));
after(() => rm(folder, { recursive: true, force: true }));

/** Runs a program that can `write` lines and `tell` of what became of it, and waits for its end. */
async function run(script: string, stdout: number | "pipe", meanwhile = (_child: ChildProcess): void => undefined) {
  const module = new URL("standard-output.js", import.meta.url).href;
  const source = `
    const { standardOutput } = await import(${JSON.stringify(module)});
    const tell = (text) => process.stderr.write(text + "\\n");
    const write = (text) => standardOutput.write(Buffer.from(text)).then(() => "taken", ({ code }) => code);
    ${script}`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", source], { stdio: ["ignore", stdout, "pipe"] });
  let told = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    told += text;
  });
  meanwhile(child);
  const [code] = await once(child, "close");
  return { code, told: told.trimEnd().split("\n") };
}

test("lines go to a file, one call after the other", async () => {
  const path = join(folder, "file");
  const { code, told } = await run(
    `tell((await Promise.all([write("a\\nb\\n"), write("c\\n".repeat(300_000)), write("d\\n")])).join())`,
    openSync(path, "w"),
  );
  assert.deepEqual([code, told], [0, ["taken,taken,taken"]]);
  assert.equal(await readFile(path, "utf8"), `a\nb\n${"c\n".repeat(300_000)}d\n`);
});

test("a disk that is full fails each write, and ends nothing", {
  skip: !existsSync("/dev/full") && "there is no /dev/full",
}, async () => {
  const { code, told } = await run(`tell(await write("a\\n")); tell(await write("b\\n"))`, openSync("/dev/full", "w"));
  assert.deepEqual([code, told], [0, ["ENOSPC", "ENOSPC"]]);
});

test("a reader who is gone fails each write, and ends nothing", async () => {
  const script = `
    await new Promise((resolve) => process.stdin.resume() && setTimeout(resolve, 50));
    let last; while ((last = await write("a\\n".repeat(10_000))) === "taken");
    tell(last); tell(String((await write("b\\n")) !== "taken"))`;
  const { code, told } = await run(script, "pipe", (child) => child.stdout?.destroy());
  assert.deepEqual([code, told], [0, ["EPIPE", "true"]]);
});

test("a reader who reads nothing holds up whoever writes, and nobody else", async () => {
  const script = `
    const long = write("a\\n".repeat(1_000_000)).then(tell);
    await new Promise((resolve) => setTimeout(resolve, 50));
    tell("goes on"); await long`;
  let isFirst = true;
  const { code, told } = await run(script, "pipe", (child) => {
    child.stderr?.on("data", () => {
      if (isFirst) {
        isFirst = false;
        child.stdout?.resume();
      }
    });
  });
  assert.deepEqual([code, told], [0, ["goes on", "taken"]]);
});

// Links as npm makes them for packages of a checkout. Node 20 has looked at the first module, and knows some of the path.
test("modules of a linked package are found after standard output was loaded, and after lines have gone to a pipe", async () => {
  const [checkout, project] = [join(folder, "checkout"), join(folder, "project")];
  const [source, linked] = [join(checkout, "package", "src"), join(checkout, "node_modules", "linked")];
  await Promise.all([source, linked, join(project, "node_modules")].map((path) => makeFolder(path)));
  await writeFile(join(linked, "package.json"), JSON.stringify({ type: "module", exports: "./index.js" }));
  await writeFile(join(linked, "index.js"), "");
  await Promise.all([1, 2, 3].map((number) => writeFile(join(source, `${number}.mjs`), 'import "linked";')));
  await symlink(join(checkout, "package"), join(project, "node_modules", "package"));
  const again = `${new URL("standard-output.js", import.meta.url).href}?again`;
  const script = `
    const load = (number) => import(${JSON.stringify(pathToFileURL(join(project, "node_modules/package/src/")).href)} + number + ".mjs");
    await load(1); await import(${JSON.stringify(again)});
    await load(2); tell(await write("a\\n"));
    await load(3); tell("found")`;
  const { code, told } = await run(script, "pipe", (child) => child.stdout?.resume());
  assert.deepEqual([code, told], [0, ["taken", "found"]]);
});
