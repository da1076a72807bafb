import type { DataDir } from "../data-dir.js";
import { claimPort } from "../free-port.js";
import { ensureConfiguration } from "./ensure-configuration.js";
import { findProgram } from "./find-program.js";
import type { StackContext } from "./stack-context.js";
import type { StackPart } from "./stack-part.js";
import { webhookServingFlags } from "./webhook-flags.js";

/** What the hooks of a new stack are, until somebody changes the file. */
const configuration = `# The hooks that the admission server of this stack serves. Change them and start the stack again.
apiVersion: config.gatehouse.dev/v1alpha1
kind: AdmissionServerConfiguration
hooks:
  - name: no-latest-tag.hooks.gatehouse.dev
    mode: Enforce # or Warn, Audit, Off
    library:
      noLatestTag: {}
  - name: sidecar.hooks.gatehouse.dev
    library:
      sidecarInjector: # for pods with the annotation sidecar.gatehouse.dev/inject: "true"
        containers:
          - name: log-shipper
            image: registry.example.com/log-shipper:1.0.0
`;

/** The admission server: the `gatehouse-admission` command of the package `@gatehouse/webhooks`. */
export async function admissionServer({ dataDir, pki }: StackContext): Promise<StackPart> {
  const configFile = hooksFileOf(dataDir);
  await ensureConfiguration(configFile, configuration);
  const port = await claimPort(0);
  return {
    name: "admission server",
    script: await findProgram("@gatehouse/webhooks", "gatehouse-admission"),
    flags: ["serve", `--config=${configFile}`, ...webhookServingFlags(pki, pki.admission, port)],
    logFile: dataDir.logOf("admission"),
    port,
  };
}

/** Where the hooks of a stack are configured. */
export function hooksFileOf(dataDir: DataDir): string {
  return dataDir.fileOf("admission.yaml");
}
