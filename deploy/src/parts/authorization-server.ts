import { writeFileAtomic } from "@gatehouse/component-base/files";
import type { DataDir } from "../data-dir.js";
import { ensureDefaultConfiguration } from "../default-configuration.js";
import { findProgram } from "./find-program.js";
import type { StackContext } from "./stack-context.js";
import type { StackPart } from "./stack-part.js";
import { webhookServingFlags } from "./webhook-flags.js";
import { webhookKubeconfig } from "./webhook-kubeconfig.js";

/** The authorization server: the `gatehouse-authorization` command of the package `@gatehouse/webhooks`. */
export async function authorizationServer({ dataDir, pki, ports }: StackContext): Promise<StackPart> {
  const configFile = authorizationRulesFileOf(dataDir);
  await ensureDefaultConfiguration(configFile, "authorization/authorization-rules.yaml");
  const port = await ports.claim("authorization");
  return {
    id: "authorization",
    name: "authorization server",
    script: await findProgram("@gatehouse/webhooks", "gatehouse-authorization"),
    flags: [`--config=${configFile}`, ...(await webhookServingFlags(pki, "authorization", port))],
    logFile: dataDir.logOf("authorization"),
    port,
  };
}

/** Writes how the API server asks it, before it looks at roles. Returns the API server's flags. */
export async function writeAuthorizationConfiguration(
  { dataDir, pki }: StackContext,
  { port }: StackPart,
): Promise<string[]> {
  const file = dataDir.fileOf("authorization.kubeconfig");
  const kubeconfig = await webhookKubeconfig("apiserver", `https://127.0.0.1:${port}/authorize`, pki);
  await writeFileAtomic(file, kubeconfig, { mode: 0o600 });
  return [
    "--authorization-mode=Node,Webhook,RBAC",
    `--authorization-webhook-config-file=${file}`,
    "--authorization-webhook-version=v1",
    // Who changes the rules wants to see what they do.
    "--authorization-webhook-cache-authorized-ttl=5s",
    "--authorization-webhook-cache-unauthorized-ttl=5s",
  ];
}

/** Returns the path of a stack's authorization rules. */
export function authorizationRulesFileOf(dataDir: DataDir): string {
  return dataDir.fileOf("authorization-rules.yaml");
}
