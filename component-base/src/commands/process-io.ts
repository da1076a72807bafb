import { thisProcess } from "../shutdown/this-process.js";
import type { CommandIo } from "./command.js";

/**
 * Returns the surroundings of a program that runs as a process of its own. Its main module imports
 * `@gatehouse/component-base/survive-output-errors` first.
 */
export function processIo(): CommandIo {
  const closing = new AbortController();
  return {
    print: (line) => process.stdout.write(`${line}\n`, (error) => error != null && closing.abort(error)),
    printError: (line) => process.stderr.write(`${line}\n`),
    outputClosed: closing.signal,
    ...(process.stderr.isTTY ? { showProgress: (text) => process.stderr.write(`\r\u001b[K${text}`) } : {}),
    process: thisProcess,
    env: process.env,
  };
}
