import type { DataDir } from "../data-dir.js";
import { ensureDefaultConfiguration } from "../default-configuration.js";
import { findProgram } from "./find-program.js";
import type { StackContext } from "./stack-context.js";
import type { StackPart } from "./stack-part.js";
import { webhookServingFlags } from "./webhook-flags.js";

/** The image-review server: the `gatehouse-image-review` command of the package `@gatehouse/webhooks`. */
export async function imageReviewServer({ dataDir, pki, ports }: StackContext): Promise<StackPart> {
  const configFile = imageRulesFileOf(dataDir);
  await ensureDefaultConfiguration(configFile, "image-review/image-rules.yaml");
  const port = await ports.claim("image-review");
  return {
    id: "image-review",
    name: "image-review server",
    script: await findProgram("@gatehouse/webhooks", "gatehouse-image-review"),
    flags: [`--config=${configFile}`, ...(await webhookServingFlags(pki, "image-review", port))],
    logFile: dataDir.logOf("image-review"),
    port,
  };
}

/** Returns the path of a stack's image rules. */
export function imageRulesFileOf(dataDir: DataDir): string {
  return dataDir.fileOf("image-rules.yaml");
}
