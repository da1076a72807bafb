import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdir } from "node:fs/promises";
import { type ClientRequest, get, type IncomingMessage } from "node:http";
import { type RequestOptions, get as secureGet } from "node:https";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { BenchEnvironment } from "../bench-environment.js";
import { freePort } from "./free-port.js";

/** Interval in milliseconds at which envtest asks whether a program is ready. */
const pollMs = 100;
const startTimeoutMs = 60_000;

/** A program that has been started. */
interface Started {
  hasEnded(): boolean;
  stop(): Promise<void>;
}

/**
 * Starts etcd and kube-apiserver of a folder, waits for them and ends them, all as envtest does. Returns the time in
 * milliseconds from the start of etcd until kube-apiserver is healthy. Both live on for `lingerMs`.
 */
export async function startTestPair(environment: BenchEnvironment, binaries: string, lingerMs = 0): Promise<number> {
  const directory = await environment.makeDirectory();
  const [etcdPort, peerPort, securePort] = [await freePort(), await freePort(), await freePort()];
  const [certDir, dataDir] = [join(directory, "certificates"), join(directory, "etcd")];
  const { caFile, certFile, keyFile } = environment.certificates;
  await Promise.all([mkdir(certDir, { mode: 0o700 }), mkdir(dataDir, { mode: 0o700 })]);
  await Promise.all([
    copyFile(certFile, join(certDir, "apiserver.crt")),
    copyFile(keyFile, join(certDir, "apiserver.key")),
  ]);
  const etcdUrl = `http://127.0.0.1:${etcdPort}`;
  const startedAt = performance.now();
  const etcd = start(join(binaries, "etcd"), [
    ...[`--advertise-client-urls=${etcdUrl}`, `--data-dir=${dataDir}`, `--listen-client-urls=${etcdUrl}`],
    ...[`--listen-peer-urls=http://127.0.0.1:${peerPort}`, "--unsafe-no-fsync=true"],
  ]);
  try {
    await untilHealthy(etcd, (answer) => get(`${etcdUrl}/health`, { agent: false }, answer));
    const apiServer = start(join(binaries, "kube-apiserver"), [
      ...["--allow-privileged=true", "--authorization-mode=RBAC", "--bind-address=127.0.0.1", `--cert-dir=${certDir}`],
      ...[`--client-ca-file=${caFile}`, "--disable-admission-plugins=ServiceAccount", `--etcd-servers=${etcdUrl}`],
      ...[`--secure-port=${securePort}`, `--service-account-issuer=https://127.0.0.1:${securePort}/`],
      ...[`--service-account-key-file=${certFile}`, `--service-account-signing-key-file=${keyFile}`],
      "--service-cluster-ip-range=10.0.0.0/24",
    ]);
    try {
      // Harnesses ask before they have a certificate to check the server's with.
      const options: RequestOptions = { agent: false, rejectUnauthorized: false };
      await untilHealthy(apiServer, (answer) => secureGet(`https://127.0.0.1:${securePort}/healthz`, options, answer));
      const readyAfterMs = performance.now() - startedAt;
      await sleep(lingerMs);
      return readyAfterMs;
    } finally {
      await apiServer.stop();
    }
  } finally {
    await etcd.stop();
  }
}

/** Starts a program, whose help harnesses ask for first. */
function start(program: string, argv: readonly string[]): Started {
  spawnSync(program, ["--help"], { stdio: "ignore" });
  const child = spawn(program, argv, { stdio: "ignore" });
  const ended = once(child, "exit");
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  return {
    hasEnded,
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** Sends a request. */
type Ask = (onAnswer: (response: IncomingMessage) => void) => ClientRequest;

/** Asks as envtest does: at once, and then after every pause, until the answer is 200. */
async function untilHealthy(program: Started, ask: Ask): Promise<void> {
  const giveUpAt = performance.now() + startTimeoutMs;
  for (;;) {
    const status = await new Promise<number | undefined>((resolve) => {
      ask((response) => resolve(response.resume().statusCode)).once("error", () => resolve(undefined));
    });
    if (status === 200) {
      return;
    }
    if (program.hasEnded() || performance.now() > giveUpAt) {
      throw new Error("a program of the pair does not become healthy");
    }
    await sleep(pollMs);
  }
}
