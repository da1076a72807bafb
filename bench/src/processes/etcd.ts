import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "./free-port.js";

const startTimeoutMs = 30_000;

/** A running etcd of one member. */
export interface Etcd extends AsyncDisposable {
  readonly port: number;
  readonly pid: number;
  readonly url: string;
}

/** Starts an etcd as its users do, with its data in `directory`. */
export async function startEtcd(program: string, directory: string): Promise<Etcd> {
  const [port, peerPort] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const peerUrl = `http://127.0.0.1:${peerPort}`;
  const child = spawn(
    program,
    [
      ...["--data-dir", directory, "--log-level", "error", "--logger", "zap"],
      ...["--listen-client-urls", url, "--advertise-client-urls", url],
      ...["--listen-peer-urls", peerUrl, "--initial-advertise-peer-urls", peerUrl],
      ...["--initial-cluster", `default=${peerUrl}`],
    ],
    { stdio: "ignore" },
  );
  const ended = once(child, "exit");
  for (const deadline = performance.now() + startTimeoutMs; !(await accepts(port)); ) {
    if (child.exitCode !== null || performance.now() > deadline) {
      child.kill("SIGKILL");
      throw new Error(`${program} did not start`);
    }
    await sleep(20);
  }
  return {
    url,
    port,
    pid: child.pid as number,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}
