import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BenchEnvironment } from "../bench-environment.js";

/** What users start: the command `gatehouse-admission`. */
const admissionMain = fileURLToPath(new URL("main.js", import.meta.resolve("@gatehouse/webhooks")));

/** A running admission server. */
export interface AdmissionServer extends AsyncDisposable {
  readonly port: number;
  readonly pid: number;
}

/** Starts the admission server with a configuration document; callers need a client certificate. */
export async function startAdmissionServer(
  { certificates, makeDirectory, serverNodeOptions }: BenchEnvironment,
  configuration: object,
): Promise<AdmissionServer> {
  const file = join(await makeDirectory(), "admission.json");
  await writeFile(file, JSON.stringify(configuration));
  const child = spawn(
    process.execPath,
    [
      ...serverNodeOptions,
      admissionMain,
      `--config=${file}`,
      "--bind-address=127.0.0.1",
      "--port=0",
      `--tls-cert-file=${certificates.certFile}`,
      `--tls-private-key-file=${certificates.keyFile}`,
      `--client-ca-file=${certificates.caFile}`,
      "--logging-format=text",
    ],
    { stdio: ["ignore", "ignore", "pipe"] },
  );
  const ended = once(child, "exit");
  const port = await new Promise<number>((resolve, reject) => {
    let log = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      log += text;
      const [, found] = /\bserving\b.*\bport=(\d+)/.exec(log) ?? [];
      if (found !== undefined) {
        resolve(Number(found));
      }
    });
    child.once("exit", () => reject(new Error(`the admission server ended before it served:\n${log}`)));
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
