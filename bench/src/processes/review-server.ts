import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BenchEnvironment } from "../bench-environment.js";

/** What users start, by the name of the command. */
const programs = {
  "gatehouse-admission": "main.js",
  "gatehouse-authorization": "../bundle/gatehouse-authorization.js",
  "gatehouse-token-review": "../bundle/gatehouse-token-review.js",
} as const;

/** A running webhook server. */
export interface ReviewServer extends AsyncDisposable {
  readonly port: number;
  readonly pid: number;
}

/** Starts a webhook server with a configuration document; callers need a client certificate. */
export async function startReviewServer(
  { certificates, makeDirectory, serverNodeOptions }: BenchEnvironment,
  program: keyof typeof programs,
  configuration: object,
): Promise<ReviewServer> {
  const file = join(await makeDirectory(), "configuration.json");
  await writeFile(file, JSON.stringify(configuration));
  const child = spawn(
    process.execPath,
    [
      ...serverNodeOptions,
      fileURLToPath(new URL(programs[program], import.meta.resolve("@gatehouse/webhooks"))),
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
    child.once("exit", () => reject(new Error(`${program} ended before it served:\n${log}`)));
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
