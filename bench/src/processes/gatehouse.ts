import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { openSync, readFileSync } from "node:fs";
import { Agent, type RequestOptions, request } from "node:https";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { BenchEnvironment } from "../bench-environment.js";
import { benchNamespace } from "../config-maps.js";
import { readClientTls } from "./client-tls.js";

/** What users start: the command `gatehouse-apiserver`. */
const serverMain = fileURLToPath(new URL("../bundle/gatehouse-apiserver.js", import.meta.resolve("@gatehouse/server")));
const startTimeoutMs = 30_000;
const stopTimeoutMs = 5000;

export interface Answer {
  readonly code: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: Buffer;
}

/** A running Gatehouse API server with a store of its own. */
export interface Gatehouse extends AsyncDisposable {
  readonly port: number;
  readonly pid: number;
  /** From spawning the process to the first 200 of `/readyz`, in milliseconds. */
  readonly readyAfterMs: number;
  /** When the process was spawned, as `performance.now()` tells the time. */
  readonly startedAt: number;
  /** Resolves when the process has ended, for whatever reason. */
  readonly ended: Promise<void>;
  hasEnded(): boolean;
  /** One request on a connection that is kept open. Throws for codes of 400 and above. */
  request(method: string, path: string, body?: string): Promise<Answer>;
}

/** Starts the server as its users do, as a process of its own, and waits until it is ready. */
export async function startGatehouse(environment: BenchEnvironment, dataDirectory?: string): Promise<Gatehouse> {
  const { certificates } = environment;
  const directory = dataDirectory ?? (await environment.makeDirectory());
  const port = await freePort();
  const logFile = join(directory, "..", `gatehouse-${port}.log`);
  const log = openSync(logFile, "a");
  const agent = new Agent({ keepAlive: true, maxSockets: 32, ...readClientTls(certificates) });
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
    ],
    { stdio: ["ignore", log, log] },
  );
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const ended = once(child, "exit").then(() => {});
  const ask = (method: string, path: string, body?: string): Promise<Answer> =>
    sendRequest({ agent, host: "127.0.0.1", port, method, path }, body);
  let readyAfterMs: number;
  try {
    await waitFor("/readyz", child, ask, startedAt + startTimeoutMs);
    readyAfterMs = performance.now() - startedAt;
    // A controller makes it, in its own time.
    await waitFor(`/api/v1/namespaces/${benchNamespace}`, child, ask, startedAt + startTimeoutMs);
  } catch (error) {
    child.kill("SIGKILL");
    throw new Error(`Gatehouse did not become ready:\n${readFileSync(logFile, "utf8").slice(-2000)}`, { cause: error });
  }
  return {
    port,
    pid: child.pid as number,
    readyAfterMs,
    startedAt,
    ended,
    hasEnded,
    async request(method, path, body) {
      const answer = await ask(method, path, body);
      if (answer.code >= 400) {
        throw new Error(`${method} ${path} was answered ${answer.code}: ${answer.body.toString().slice(0, 500)}`);
      }
      return answer;
    },
    async [Symbol.asyncDispose]() {
      agent.destroy();
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

async function waitFor(
  path: string,
  child: ChildProcess,
  ask: (method: string, path: string) => Promise<Answer>,
  deadline: number,
): Promise<void> {
  while (child.exitCode === null && performance.now() < deadline) {
    try {
      if ((await ask("GET", path)).code === 200) {
        return;
      }
    } catch {
      // Nobody listens yet.
    }
    await sleep(2);
  }
  throw new Error(child.exitCode === null ? "it took too long" : `it ended with code ${child.exitCode}`);
}

function sendRequest(options: RequestOptions, body: string | undefined): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { "Content-Type": "application/json" };
    const outgoing = request({ ...options, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        resolve({ code: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) });
      });
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
