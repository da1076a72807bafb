import assert from "node:assert/strict";
import { test } from "node:test";
import type { CommandIo } from "@gatehouse/component-base/commands";
import { thisProcess } from "@gatehouse/component-base/shutdown";

/** Runs a program with arguments; resolves to its exit code and all that it has printed. */
export type RunProgram = (...argv: string[]) => Promise<readonly [number, string]>;

/** Returns a function that runs a program with an empty environment. */
export function printedBy(program: (argv: readonly string[], io: CommandIo) => Promise<number>): RunProgram {
  return async (...argv) => {
    const printed: string[] = [];
    const print = (line: string) => printed.push(line);
    const code = await program(argv, { print, printError: print, process: thisProcess, env: {} });
    return [code, printed.join("\n")];
  };
}

const commonFlags = [
  "--config",
  "--path",
  "--tls-cert-file",
  "--client-ca-file",
  "--token-file",
  "--max-body-bytes",
  "--max-concurrent",
];

/** Tests that hold for every program that answers reviews by a document. */
export function reviewProgramContract(name: string, run: RunProgram): void {
  test("tells its flags and version", async () => {
    const [code, help] = await run("--help");
    assert.equal(code, 0);
    for (const flag of commonFlags) {
      assert.ok(help.includes(flag), flag);
    }
    assert.match((await run("--version"))[1], /^gatehouse-[a-z-]+ v\d+\.\d+\.\d+$/);
  });

  test("does not start without its document", async () => {
    assert.deepEqual(await run(), [1, `${name}: flags: --config: is required`]);
  });
}
