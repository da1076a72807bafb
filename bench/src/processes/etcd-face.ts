import { spawn } from "node:child_process";
import { once } from "node:events";
import type { BenchEnvironment } from "../bench-environment.js";
import { serverMain } from "./gatehouse.js";

const startTimeoutMs = 30_000;

/** The running command `gatehouse-apiserver etcd`. */
export interface EtcdFaceProcess extends AsyncDisposable {
  readonly port: number;
  readonly pid: number;
}

/** Starts the command that serves an embedded store by the API of etcd, as its users do, on an empty directory. */
export async function startEtcdFace(environment: BenchEnvironment): Promise<EtcdFaceProcess> {
  const directory = await environment.makeDirectory();
  const child = spawn(
    process.execPath,
    [
      ...environment.serverNodeOptions,
      serverMain,
      ...["etcd", "--data-dir", directory, "--listen-etcd-urls", "http://127.0.0.1:0", "--logging-format=text"],
    ],
    { stdio: ["ignore", "pipe", "pipe"] },
  );
  const ended = once(child, "exit");
  let log = "";
  const port = await new Promise<number>((resolve, reject) => {
    const fail = (): void => reject(new Error(`the etcd API was not served:\n${log}`));
    const timer = setTimeout(fail, startTimeoutMs);
    child.once("exit", fail);
    const take = (text: string): void => {
      log = (log + text).slice(-20_000);
      const [, served] = /urls="?http:\/\/127\.0\.0\.1:(\d+)/.exec(log) ?? [];
      if (served !== undefined) {
        clearTimeout(timer);
        resolve(Number(served));
      }
    };
    child.stdout.setEncoding("utf8").on("data", take);
    child.stderr.setEncoding("utf8").on("data", take);
  }).catch((error: unknown) => {
    child.kill("SIGKILL");
    throw error;
  });
  return {
    port,
    pid: child.pid as number,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
