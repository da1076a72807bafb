import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BenchEnvironment } from "../bench-environment.js";
import { type RunningProgram, startProgram } from "./start-program.js";

/** Paths of the programs as users start them, by the name of the command. */
const programs = {
  "gatehouse-admission": "../programs/admission/main.js",
  "gatehouse-authorization": "../../bundle/gatehouse-authorization.js",
  "gatehouse-token-review": "../../bundle/gatehouse-token-review.js",
} as const;

/** Starts a webhook server with a configuration document; callers need a client certificate. */
export async function startReviewServer(
  { certificates, makeDirectory, serverNodeOptions }: BenchEnvironment,
  program: keyof typeof programs,
  configuration: object,
): Promise<RunningProgram> {
  const file = join(await makeDirectory(), "configuration.json");
  await writeFile(file, JSON.stringify(configuration));
  const script = fileURLToPath(new URL(programs[program], import.meta.resolve("@gatehouse/webhooks")));
  const args = [
    `--config=${file}`,
    "--bind-address=127.0.0.1",
    "--port=0",
    `--tls-cert-file=${certificates.certFile}`,
    `--tls-private-key-file=${certificates.keyFile}`,
    `--client-ca-file=${certificates.caFile}`,
  ];
  return await startProgram(script, args, serverNodeOptions);
}
