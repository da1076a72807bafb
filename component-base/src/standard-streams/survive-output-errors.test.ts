import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, openSync } from "node:fs";
import { test } from "node:test";

const module = new URL("survive-output-errors.js", import.meta.url).href;
const noFullDevice = !existsSync("/dev/full") && "there is no /dev/full";

/** Runs a program that writes twice to each stream, in each way that libraries use. Resolves to its exit code. */
async function runWriter(stdout: "pipe" | number, stderr: "pipe" | number): Promise<number | null> {
  const source = `
    import ${JSON.stringify(module)};
    if (process.argv.includes("pipe")) await new Promise((done) => process.stdin.resume().once("end", done));
    // More than one failure, in more than one turn of the event loop.
    for (let i = 0; i < 3; i++) {
      console.log("a"); console.error(new Error("b"));
      process.stdout.write("c\\n"); process.stderr.write("d\\n"); process.emitWarning("e");
      await new Promise((done) => setTimeout(done, 1));
    }
    process.exitCode = process.exitCode === 1 ? 42 : 43;`;
  const isPipe = stdout === "pipe" || stderr === "pipe";
  const child = spawn(process.execPath, ["--input-type=module", "-e", source, ...(isPipe ? ["pipe"] : [])], {
    stdio: ["pipe", stdout, stderr],
  });
  child.stdout?.destroy();
  child.stderr?.destroy();
  // The program writes when its readers have gone.
  child.stdin?.end();
  const [code] = await once(child, "exit");
  return code as number | null;
}

test("a program goes on when its output is on a full disk, and its exit code tells that some is missing", {
  skip: noFullDevice,
}, async () => {
  assert.equal(await runWriter(openSync("/dev/full", "w"), openSync("/dev/full", "w")), 42);
});

test("a program goes on when nobody reads its output, and its exit code tells that some is missing", async () => {
  assert.equal(await runWriter("pipe", "pipe"), 42);
});
