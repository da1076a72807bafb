import type { CommandIo } from "./command.js";

/** The surroundings of a program that runs as a process of its own. */
export function processIo(): CommandIo {
  // Who reads the output may have had enough of it: `| head`.
  process.stdout.on("error", () => process.exit(1));
  return {
    print: (line) => process.stdout.write(`${line}\n`),
    printError: (line) => process.stderr.write(`${line}\n`),
    ...(process.stderr.isTTY ? { showProgress: (text) => process.stderr.write(`\r\u001b[K${text}`) } : {}),
    process,
    env: process.env,
  };
}
