import { thisProcess } from "../shutdown/this-process.js";
import type { CommandIo } from "./command.js";

/**
 * Returns the surroundings of a program that runs as a process of its own. Its main module imports
 * `@gatehouse/component-base/survive-output-errors` first.
 */
export function processIo(): CommandIo {
  const closing = new AbortController();
  const printError = (line: string): void => void process.stderr.write(`${line}\n`);
  const lost = (error: NodeJS.ErrnoException): void => {
    // A program that serves exits with a code of its own.
    process.exitCode = 1;
    if (error.code !== "EPIPE" && !closing.signal.aborted) {
      printError(`standard output: ${error.message}`);
    }
    closing.abort(error);
  };
  return {
    print: (line) => process.stdout.write(`${line}\n`, (error) => error != null && lost(error)),
    printError,
    outputClosed: closing.signal,
    ...(process.stderr.isTTY ? { showProgress: (text) => process.stderr.write(`\r\u001b[K${text}`) } : {}),
    process: thisProcess,
    env: process.env,
  };
}
