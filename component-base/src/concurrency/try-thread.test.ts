import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";

const module = JSON.stringify(new URL("try-thread.js", import.meta.url).href);

async function run(program: string): Promise<string> {
  const flags = ["--input-type=module", "--eval", `import { tryThread } from ${module};\n${program}`];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, flags);
  return stdout + stderr;
}

test("a thread runs its script, and keeps no process alive", async () => {
  assert.equal(
    await run('tryThread(\'console.log("begun")\').once("exit", () => console.log("ended")).ref();'),
    "begun\nended\n",
  );
  assert.equal(await run("tryThread('setInterval(() => {}, 1000)');"), "");
});

test("a thread that fails, or that cannot be had, is done without", async () => {
  assert.equal(await run("tryThread('throw new Error()').ref();"), "");
  const none = `import { Worker } from "node:worker_threads";
    Worker.prototype.unref = () => { throw new Error("no thread"); };
    console.log(tryThread("0"));`;
  assert.equal(await run(none), "undefined\n");
});
