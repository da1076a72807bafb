import assert from "node:assert/strict";
import { test } from "node:test";
import { type PartResult, runParts } from "./run-parts.js";
import type { SoakPart } from "./soak-parts.js";

const part = (name: string, alone = false): SoakPart => ({ name, file: name, env: {}, ...(alone ? { alone } : {}) });

/** Runs parts that end in the order of `ends`, and tells what began and ended when. */
async function tellOf(parts: readonly SoakPart[], atOnce: number, ends: readonly string[], failing = "") {
  const told: string[] = [];
  const open = new Map<string, (result: PartResult) => void>();
  const run = (each: SoakPart): Promise<PartResult> => new Promise((resolve) => open.set(each.name, resolve));
  const all = runParts(parts, atOnce, run, {
    began: ({ name }) => told.push(`+${name}`),
    ended: ({ name }, { lines }) => told.push(`-${name}${lines.join("")}`),
  });
  for (const name of ends) {
    open.get(name)?.({ passed: name !== failing, lines: ["!"] });
    await new Promise(setImmediate);
  }
  return { told: told.join(" "), passed: await all };
}

test("parts of the soak run side by side, as many as are asked for, and the next begins when one has ended", async () => {
  const parts = ["a", "b", "c", "d"].map((name) => part(name));
  const { told, passed } = await tellOf(parts, 2, ["b", "a", "c", "d"]);
  assert.equal(told, "+a +b -b! +c -a! +d -c! -d!");
  assert.equal(passed, true);
});

test("a part of the soak that must be alone runs after all others, beside none", async () => {
  const parts = [part("a", true), part("b"), part("c", true), part("d")];
  const { told } = await tellOf(parts, 3, ["b", "d", "a", "c"]);
  assert.equal(told, "+b +d -b! -d! +a -a! +c -c!");
});

test("all parts of the soak run also after one has failed, one at a time if nothing else is said", async () => {
  const { told, passed } = await tellOf([part("a"), part("b"), part("c")], 1, ["a", "b", "c"], "a");
  assert.equal(told, "+a -a! +b -b! +c -c!");
  assert.equal(passed, false);
});
