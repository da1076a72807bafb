import type { DataDir } from "../data-dir.js";
import { ensureDefaultConfiguration } from "../default-configuration.js";
import { findProgram } from "./find-program.js";
import type { StackContext } from "./stack-context.js";
import type { StackPart } from "./stack-part.js";
import { webhookServingFlags } from "./webhook-flags.js";

/** The admission server: the `gatehouse-admission` command of the package `@gatehouse/webhooks`. */
export async function admissionServer({ dataDir, pki, ports }: StackContext): Promise<StackPart> {
  const configFile = hooksFileOf(dataDir);
  await ensureDefaultConfiguration(configFile, "admission/hooks.yaml");
  const port = await ports.claim("admission");
  return {
    id: "admission",
    name: "admission server",
    script: await findProgram("@gatehouse/webhooks", "gatehouse-admission"),
    flags: ["serve", `--config=${configFile}`, ...(await webhookServingFlags(pki, "admission", port))],
    logFile: dataDir.logOf("admission"),
    port,
  };
}

/** Returns the path of the configuration of a stack's hooks. */
export function hooksFileOf(dataDir: DataDir): string {
  return dataDir.fileOf("admission.yaml");
}
