import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BenchEnvironment } from "../bench-environment.js";
import { type RunningProgram, startProgram } from "./start-program.js";

/** Path of the command `gatehouse-audit-sink`, as users start it. */
const sinkMain = fileURLToPath(new URL("sink-main.js", import.meta.resolve("@gatehouse/audit-sink")));

/** Starts the audit sink with pipelines, with an index if asked; senders and readers need the client certificate. */
export async function startAuditSink(
  { certificates, makeDirectory, serverNodeOptions }: BenchEnvironment,
  pipelines: readonly object[] = [],
  { hasIndex = false }: { readonly hasIndex?: boolean } = {},
): Promise<RunningProgram> {
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
  return await startProgram(sinkMain, [`--config=${file}`], serverNodeOptions);
}
