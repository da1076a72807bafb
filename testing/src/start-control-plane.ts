import { join } from "node:path";
import { createCertificates } from "./certificates.js";
import type { TestUser } from "./cluster-access.js";
import type { ControlPlane } from "./control-plane.js";
import { checkFlags, controlPlaneFlags, needsDefaultServiceAccount } from "./control-plane-flags.js";
import type { ControlPlaneOptions } from "./control-plane-options.js";
import { Harness } from "./harness.js";
import { LogLines } from "./log-lines.js";
import { readDefinitions, readManifests } from "./manifests.js";
import { makePrivateFolder } from "./private-folder.js";
import { RunningControlPlane } from "./running-control-plane.js";
import { installedServer, runProgram } from "./server-run/as-process.js";
import { runInProcess } from "./server-run/in-process.js";
import { RestartableServer } from "./server-run/restartable-server.js";
import type { StartRun } from "./server-run/server-run.js";
import { startError } from "./start-error.js";

/**
 * Starts a control plane for tests and waits until it is ready and has all definitions and objects of the options. It
 * listens on a free port of 127.0.0.1; any number may run side by side. Rejects with ControlPlaneStartError when it
 * cannot start or refuses an object, and with TypeError for options that cannot be used; nothing is left behind then.
 *
 * @example
 * ```ts
 * await using cluster = await startControlPlane({
 *   users: [{ name: "alice", groups: ["developers"] }],
 *   objects: [{ apiVersion: "v1", kind: "Namespace", metadata: { name: "team" } }],
 * });
 * const kubeConfig = new KubeConfig();
 * kubeConfig.loadFromString(JSON.stringify(cluster.kubeconfig));
 * await kubeConfig.makeApiClient(CoreV1Api).readNamespace({ name: "team" });
 * ```
 */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const harness = options.mode === "process" ? undefined : new Harness();
  const startRun = startRunOf(options, harness);
  checkFlags(options.flags ?? []);
  checkUsers(options.users ?? []);
  const [definitions, objects] = await Promise.all([
    readDefinitions("definitions", options.definitions),
    readManifests("objects", options.objects),
  ]);
  const folder = await makePrivateFolder(options.temporaryDirectory);
  const logs = new LogLines();
  let controlPlane: RunningControlPlane | undefined;
  try {
    const certificates = await createCertificates(folder.path);
    const fromCertificates = (await options.flagsFor?.(certificates)) ?? [];
    const dataDirectory = options.dataDirectory ?? join(folder.path, "data");
    const serverFlags = (flags: readonly string[]): readonly string[] => {
      const given = [...flags, ...fromCertificates];
      checkFlags(given);
      return controlPlaneFlags(options, { certificates, dataDirectory, given });
    };
    const { flags = [] } = options;
    controlPlane = new RunningControlPlane({
      server: new RestartableServer(startRun, (text) => logs.write(text)),
      harness,
      serverFlags,
      flags,
      folder,
      certificates,
      dataDirectory,
      logs,
      startTimeoutMs: options.startTimeoutMs ?? 60_000,
      waitsForServiceAccount: needsDefaultServiceAccount(options, [...flags, ...fromCertificates]),
    });
    await controlPlane.start({ users: options.users ?? [], definitions, objects });
    return controlPlane;
  } catch (error) {
    await (controlPlane ?? folder)[Symbol.asyncDispose]();
    throw error instanceof TypeError ? error : startError(error, logs.text());
  }
}

function checkUsers(users: readonly TestUser[]): void {
  const nameless = users.findIndex(({ name }) => name === "");
  if (nameless >= 0) {
    throw new TypeError(`users[${nameless}]: must have a name`);
  }
}

function startRunOf({ mode = "in-process", program }: ControlPlaneOptions, harness: Harness | undefined): StartRun {
  if (mode === "process") {
    return async (flags, writeLog) => runProgram(program ?? installedServer(), flags, writeLog);
  }
  if (mode !== "in-process") {
    throw new TypeError(`mode: ${JSON.stringify(mode)} is neither "in-process" nor "process"`);
  }
  if (program !== undefined) {
    throw new TypeError('program: can be given in mode "process" only');
  }
  return (flags, writeLog) => runInProcess(flags, writeLog, harness?.parts);
}
