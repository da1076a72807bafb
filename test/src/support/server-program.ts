import { fileURLToPath } from "node:url";
import { runProgram, type ServerProgram, type ServerRun } from "@gatehouse/testing/process";

/**
 * The API server that tests run: that of the sources, which is never older than they are. `npm test` names the bundled one
 * instead, which starts in half the time.
 */
export const serverProgram: ServerProgram = {
  script:
    process.env["GATEHOUSE_APISERVER"] ?? fileURLToPath(new URL("main.js", import.meta.resolve("@gatehouse/server"))),
  nodeOptions: ["--enable-source-maps"],
};

/** Starts the API server with flags of the test's own; what it writes goes to `onOutput`. It ends with this process. */
export function spawnServer(flags: readonly string[], onOutput: (text: string) => void): ServerRun {
  return runProgram(serverProgram, flags, onOutput);
}
