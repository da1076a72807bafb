import { writeFileAtomic } from "@gatehouse/component-base/files";
import { encodeYaml } from "@gatehouse/envelopes/codec";
import { developmentClientId } from "../identity-provider/client-id.js";
import { serviceAccountIssuer } from "./api-server.js";
import { findProgram } from "./find-program.js";
import { rewrittenNote } from "./rewritten-note.js";
import type { StackContext } from "./stack-context.js";
import type { StackPart } from "./stack-part.js";
import { webhookServingFlags } from "./webhook-flags.js";
import { webhookKubeconfig } from "./webhook-kubeconfig.js";

/**
 * The token review server, which believes the identity provider of the stack: the `gatehouse-token-review` command of the
 * package `@gatehouse/webhooks`.
 */
export async function tokenReviewServer(
  { dataDir, pki, ports }: StackContext,
  identityProvider: StackPart,
): Promise<StackPart> {
  const configFile = dataDir.fileOf("token-review.yaml");
  // Anew at each start: the provider has another address every time.
  const configuration = {
    apiVersion: "config.gatehouse.dev/v1alpha1",
    kind: "TokenReviewConfiguration",
    audiences: [serviceAccountIssuer],
    issuers: [
      {
        url: `https://127.0.0.1:${identityProvider.port}`,
        audiences: [developmentClientId],
        certificateAuthority: pki.caFile,
        claimMappings: {
          username: { claim: "preferred_username", prefix: "oidc:" },
          groups: { claim: "groups", prefix: "oidc:" },
        },
      },
    ],
  };
  await writeFileAtomic(configFile, `${rewrittenNote}${encodeYaml(configuration)}`, { mode: 0o600 });
  const port = await ports.claim("token-review");
  return {
    id: "token-review",
    name: "token review server",
    script: await findProgram("@gatehouse/webhooks", "gatehouse-token-review"),
    flags: [`--config=${configFile}`, ...(await webhookServingFlags(pki, "token-review", port))],
    logFile: dataDir.logOf("token-review"),
    port,
    // Asked for its keys at once, and only after a while again.
    after: identityProvider,
  };
}

/** Writes how the API server asks it. Returns the API server's flags. */
export async function writeTokenReviewConfiguration(
  { dataDir, pki }: StackContext,
  { port }: StackPart,
): Promise<string[]> {
  const file = dataDir.fileOf("token-review.kubeconfig");
  const kubeconfig = await webhookKubeconfig("apiserver", `https://127.0.0.1:${port}/token-review`, pki);
  await writeFileAtomic(file, kubeconfig, { mode: 0o600 });
  return [`--authentication-token-webhook-config-file=${file}`, "--authentication-token-webhook-version=v1"];
}
