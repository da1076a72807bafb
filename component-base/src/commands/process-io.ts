import type { CommandIo } from "./command.js";

/** The surroundings of a program that runs as a process of its own. */
export function processIo(): CommandIo {
  // Told to whoever has written.
  process.stdout.on("error", () => undefined);
  return {
    print: (line) =>
      process.stdout.write(`${line}\n`, (error) => {
        if (error != null) {
          // Who reads the output may have had enough of it: `| head`.
          process.exit(1);
        }
      }),
    printError: (line) => process.stderr.write(`${line}\n`),
    ...(process.stderr.isTTY ? { showProgress: (text) => process.stderr.write(`\r\u001b[K${text}`) } : {}),
    process,
    env: process.env,
  };
}
