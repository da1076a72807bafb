import type { DataDir } from "../data-dir.js";
import { claimPort } from "../free-port.js";
import { ensureConfiguration } from "./ensure-configuration.js";
import { findProgram } from "./find-program.js";
import type { StackContext } from "./stack-context.js";
import type { StackPart } from "./stack-part.js";
import { webhookServingFlags } from "./webhook-flags.js";

/** What the rules of a new stack are, until somebody changes the file. */
const configuration = `# Which images the pods of this stack may use. Changes count at once.
apiVersion: config.gatehouse.dev/v1alpha1
kind: ImageRules
default: Allow
rules:
  - name: known-bad
    action: Deny
    repositories: ["*/cryptominer", "cryptominer"]
    reason: nobody here needs it
`;

/** The image-review server: the `gatehouse-image-review` command of the package `@gatehouse/webhooks`. */
export async function imageReviewServer({ dataDir, pki }: StackContext): Promise<StackPart> {
  const configFile = imageRulesFileOf(dataDir);
  await ensureConfiguration(configFile, configuration);
  const port = await claimPort(0);
  return {
    name: "image-review server",
    script: await findProgram("@gatehouse/webhooks", "gatehouse-image-review"),
    flags: [`--config=${configFile}`, ...webhookServingFlags(pki, pki.imageReview, port)],
    logFile: dataDir.logOf("image-review"),
    port,
  };
}

/** Where the image rules of a stack are. */
export function imageRulesFileOf(dataDir: DataDir): string {
  return dataDir.fileOf("image-rules.yaml");
}
