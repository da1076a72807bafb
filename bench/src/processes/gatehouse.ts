import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { BenchEnvironment } from "../bench-environment.js";
import type { ClientCertificates } from "../certificates.js";
import { benchNamespace } from "../config-maps.js";
import type { LoadTarget } from "../load/writers.js";
import { type Answer, ApiClient } from "./api-client.js";
import { freePort } from "./free-port.js";

/** Path of the command `gatehouse-apiserver`, as users start it. */
export const serverMain = fileURLToPath(
  new URL("../bundle/gatehouse-apiserver.js", import.meta.resolve("@gatehouse/server")),
);
const startTimeoutMs = 30_000;
const stopTimeoutMs = 5000;

/** A running Gatehouse API server with a store of its own. */
export interface Gatehouse extends LoadTarget, AsyncDisposable {
  readonly pid: number;
  readonly certificates: ClientCertificates;
  /** Time in milliseconds from spawning the process to the first 200 of `/readyz`. */
  readonly readyAfterMs: number;
  /** Time at which the process was spawned, by `performance.now()`. */
  readonly startedAt: number;
  /** The path of its log. */
  readonly logFile: string;
  /** Resolves when the process has ended, for whatever reason. */
  readonly ended: Promise<void>;
  hasEnded(): boolean;
  /** One request on a connection that is kept open. Throws for codes of 400 and above. */
  request(method: string, path: string, body?: string): Promise<Answer>;
}

/** Starts the server as its users do, as a process of its own, and waits until it is ready. */
export async function startGatehouse(
  environment: BenchEnvironment,
  dataDirectory?: string,
  flags: readonly string[] = [],
): Promise<Gatehouse> {
  const { certificates } = environment;
  const directory = dataDirectory ?? (await environment.makeDirectory());
  const port = await freePort();
  const logFile = join(directory, "..", `gatehouse-${port}.log`);
  const log = openSync(logFile, "a");
  const client = new ApiClient(port, certificates);
  const startedAt = performance.now();
  const child = spawn(
    process.execPath,
    [
      ...environment.serverNodeOptions,
      serverMain,
      `--data-dir=${directory}`,
      "--bind-address=127.0.0.1",
      `--secure-port=${port}`,
      `--tls-cert-file=${certificates.certFile}`,
      `--tls-private-key-file=${certificates.keyFile}`,
      `--client-ca-file=${certificates.caFile}`,
      "--service-account-issuer=https://kubernetes.default.svc",
      `--service-account-key-file=${certificates.certFile}`,
      `--service-account-signing-key-file=${certificates.keyFile}`,
      ...flags,
    ],
    { stdio: ["ignore", log, log] },
  );
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const ended = once(child, "exit").then(() => {});
  let readyAfterMs: number;
  try {
    await waitFor("/readyz", child, client, startedAt + startTimeoutMs);
    readyAfterMs = performance.now() - startedAt;
    // A controller makes it, in its own time.
    await waitFor(`/api/v1/namespaces/${benchNamespace}`, child, client, startedAt + startTimeoutMs);
  } catch (error) {
    child.kill("SIGKILL");
    throw new Error(`Gatehouse did not become ready:\n${readFileSync(logFile, "utf8").slice(-2000)}`, { cause: error });
  }
  return {
    port,
    pid: child.pid as number,
    pids: [child.pid as number],
    certificates,
    readyAfterMs,
    startedAt,
    logFile,
    ended,
    hasEnded,
    request: (method, path, body) => client.request(method, path, body),
    async [Symbol.asyncDispose]() {
      client[Symbol.dispose]();
      if (!hasEnded()) {
        child.kill("SIGTERM");
        // One that is at work on something endless does not hear it.
        const force = setTimeout(() => child.kill("SIGKILL"), stopTimeoutMs);
        await ended;
        clearTimeout(force);
      }
    },
  };
}

async function waitFor(path: string, child: ChildProcess, client: ApiClient, deadline: number): Promise<void> {
  while (child.exitCode === null && performance.now() < deadline) {
    try {
      if ((await client.ask("GET", path)).code === 200) {
        return;
      }
    } catch {
      // Nobody listens yet.
    }
    await sleep(2);
  }
  throw new Error(child.exitCode === null ? "it took too long" : `it ended with code ${child.exitCode}`);
}
