import { tmpdir } from "node:os";
import { type ControlPlane, type ControlPlaneOptions, startControlPlane } from "@gatehouse/testing";
import { serverProgram } from "./server-program.js";
import { showLogOnFailure } from "./show-log-on-failure.js";

/**
 * The number of workers of test servers: `GATEHOUSE_WORKERS=4 node scripts/test.mjs FOLDER` runs tests against servers of
 * four. What holds for one process holds for several.
 */
const workers = process.env["GATEHOUSE_WORKERS"];

/**
 * Starts a server as most tests of this repository want it: a process that can be killed, on a real disk, in which
 * everybody may do everything unless `authorization` says otherwise. Its log is shown when a test of the file fails.
 */
export async function startTestServer(
  options: Pick<ControlPlaneOptions, "authorization" | "flags" | "flagsFor" | "dataDirectory"> = {},
): Promise<ControlPlane> {
  const { flags = [], authorization = ["AlwaysAllow"] } = options;
  const server = await startControlPlane({
    ...options,
    mode: "process",
    program: serverProgram,
    authorization,
    temporaryDirectory: tmpdir(),
    flags: [
      // Where everybody may do everything, nobody misses the roles, and to make them takes as long as to start.
      ...(!authorization.includes("AlwaysAllow") ||
      flags.some((flag) => /^--(?:authorization-|controllers=)/.test(flag))
        ? []
        : ["--controllers=*,-bootstrap-roles"]),
      ...(workers === undefined || flags.some((flag) => flag.startsWith("--workers=")) ? [] : [`--workers=${workers}`]),
      ...flags,
    ],
  });
  showLogOnFailure(() => server.logs.text());
  return server;
}
