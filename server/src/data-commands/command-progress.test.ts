import assert from "node:assert/strict";
import { test } from "node:test";
import { thisProcess } from "@gatehouse/component-base/shutdown";
import { withProgress } from "./command-progress.js";

const io = { print: () => undefined, process: thisProcess, env: {} };

test("progress is a bar on a terminal, which is gone at the end", async () => {
  const shown: string[] = [];
  const terminal = { ...io, printError: () => assert.fail("a line"), showProgress: (text: string) => shown.push(text) };
  const result = await withProgress(terminal, { label: "copying", unit: "keys", total: 2 }, async (advance) => {
    advance(1);
    return "done";
  });
  assert.equal(result, "done");
  assert.deepEqual(shown, ["copying [###############...............] 50%", ""]);
});

test("short work shows nothing where there is no terminal", async () => {
  const lines: string[] = [];
  await withProgress(
    { ...io, printError: (line) => lines.push(line) },
    { label: "a", unit: "b", total: 0 },
    async (by) => by(5),
  );
  assert.deepEqual(lines, []);
});

test("the bar is gone after work that fails", async () => {
  const shown: string[] = [];
  const terminal = { ...io, printError: () => undefined, showProgress: (text: string) => shown.push(text) };
  const work = async (): Promise<never> => {
    throw new Error("lost");
  };
  await assert.rejects(withProgress(terminal, { label: "a", unit: "b", total: 0 }, work), { message: "lost" });
  assert.deepEqual(shown, [""]);
});
