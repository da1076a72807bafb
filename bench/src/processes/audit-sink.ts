import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BenchEnvironment } from "../bench-environment.js";

/** What users start: the command `gatehouse-audit-sink`. */
const sinkMain = fileURLToPath(new URL("sink-main.js", import.meta.resolve("@gatehouse/audit-sink")));

/** A running audit sink. */
export interface AuditSink extends AsyncDisposable {
  readonly port: number;
  readonly pid: number;
}

/** Starts the audit sink with pipelines, with an index if asked; senders and readers need the client certificate. */
export async function startAuditSink(
  { certificates, makeDirectory, serverNodeOptions }: BenchEnvironment,
  pipelines: readonly object[] = [],
  { hasIndex = false }: { readonly hasIndex?: boolean } = {},
): Promise<AuditSink> {
  const directory = await makeDirectory();
  const file = join(directory, "sink.json");
  const bench = [{ name: "bench", commonNames: ["bench"] }];
  const configuration = {
    apiVersion: "config.gatehouse.dev/v1alpha1",
    kind: "AuditSinkConfiguration",
    serving: {
      bindAddress: "127.0.0.1",
      port: 0,
      certFile: certificates.certFile,
      keyFile: certificates.keyFile,
      clientCAFile: certificates.caFile,
    },
    senders: bench,
    readers: bench,
    log: { directory: join(directory, "log"), retention: { maxBytes: "1Gi" } },
    pipelines,
    ...(hasIndex ? { index: { directory: join(directory, "index"), retention: { maxBytes: "1Gi" } } } : {}),
  };
  await writeFile(file, JSON.stringify(configuration));
  const child = spawn(process.execPath, [...serverNodeOptions, sinkMain, `--config=${file}`, "--logging-format=text"], {
    stdio: ["ignore", "ignore", "pipe"],
  });
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
    child.once("exit", () => reject(new Error(`the audit sink ended before it served:\n${log}`)));
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
