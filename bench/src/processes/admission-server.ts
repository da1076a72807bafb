import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BenchEnvironment } from "../bench-environment.js";
import { type RunningProgram, startProgram } from "./start-program.js";

/** What users start: the command `gatehouse-admission`. */
const admissionMain = fileURLToPath(new URL("main.js", import.meta.resolve("@gatehouse/webhooks")));

/** Starts the admission server with a configuration document; callers need a client certificate. */
export async function startAdmissionServer(
  { certificates, makeDirectory, serverNodeOptions }: BenchEnvironment,
  configuration: object,
): Promise<RunningProgram> {
  const file = join(await makeDirectory(), "admission.json");
  await writeFile(file, JSON.stringify(configuration));
  const args = [
    `--config=${file}`,
    "--bind-address=127.0.0.1",
    "--port=0",
    `--tls-cert-file=${certificates.certFile}`,
    `--tls-private-key-file=${certificates.keyFile}`,
    `--client-ca-file=${certificates.caFile}`,
  ];
  return await startProgram("admission server", admissionMain, args, serverNodeOptions);
}
