import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { test } from "node:test";
import { thisProcess } from "../shutdown/this-process.js";
import { runProgram } from "./run-commands.js";

async function run(work: () => Promise<number>) {
  const errors: string[] = [];
  const io = {
    print: () => undefined,
    printError: (line: string) => void errors.push(line),
    process: thisProcess,
    env: {},
  };
  return { code: await runProgram("program", { run: work }, [], io), errors };
}

const refusals: readonly [what: string, refused: () => Promise<never>, message: RegExp][] = [
  ["a file that is not there", async () => readFileSync("/nowhere") as never, /^program: ENOENT: .*'\/nowhere'$/],
  [
    "an address that nobody may listen on",
    () => new Promise((_, reject) => void createServer().once("error", reject).listen(0, "192.0.2.1")),
    /^program: listen EADDRNOTAVAIL/,
  ],
];

for (const [what, refused, message] of refusals) {
  test(`the system's refusal of ${what} is told in one line`, async () => {
    const { code, errors } = await run(refused);
    assert.equal(code, 1);
    assert.equal(errors.length, 1);
    assert.match(errors[0] ?? "", message);
  });
}

test("a mistake of the program is thrown on, for its stack", async () => {
  await assert.rejects(
    run(async () => {
      throw new TypeError("a mistake");
    }),
    { message: "a mistake" },
  );
});
