import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, openSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

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
