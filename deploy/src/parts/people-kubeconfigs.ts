import { mergeKubeconfig } from "@gatehouse/component-base/kubeconfig";
import { administratorName } from "../identities.js";
import { developmentClientId } from "../identity-provider/client-id.js";
import { auditReaderFileOf } from "./audit-sink.js";
import { findProgram } from "./find-program.js";
import { oidcKubeconfigOf } from "./identity-provider.js";
import type { StackContext } from "./stack-context.js";
import type { StackPart } from "./stack-part.js";
import type { StackParts } from "./stack-parts.js";

/**
 * Stores the kubeconfigs that people use: the administrator's, one for questions to the audit sink, and one that logs in
 * at the identity provider. What people have put there stays. Called when those whom they name have their rights: a
 * script may wait for the file and begin.
 */
export async function writePeopleKubeconfigs(context: StackContext, parts: StackParts): Promise<void> {
  const { apiServer, auditSink, identityProvider } = parts;
  await Promise.all([
    writeAdministratorKubeconfig(context, apiServer),
    auditSink && writeAuditReaderKubeconfig(context, auditSink),
    identityProvider && writeOidcKubeconfig(context, identityProvider, apiServer),
  ]);
}

async function writeAdministratorKubeconfig({ dataDir, pki }: StackContext, { port }: StackPart): Promise<void> {
  await mergeKubeconfig(dataDir.kubeconfig, {
    clusterName: "gatehouse",
    cluster: clusterAt(port, pki.authority.certificatePem),
    userName: administratorName,
    user: certificateUser(await pki.admin),
  });
}

async function writeAuditReaderKubeconfig({ dataDir, pki }: StackContext, { port }: StackPart): Promise<void> {
  await mergeKubeconfig(auditReaderFileOf(dataDir), {
    clusterName: "audit-sink",
    cluster: clusterAt(port, pki.authority.certificatePem),
    userName: administratorName,
    user: certificateUser(await pki.ofClient("audit-reader")),
  });
}

/** Logs in through kubectl's exec plugin. */
async function writeOidcKubeconfig(
  { dataDir, pki }: StackContext,
  provider: StackPart,
  apiServer: StackPart,
): Promise<void> {
  const issuer = `https://127.0.0.1:${provider.port}`;
  const apiVersion = "client.authentication.k8s.io/v1";
  const spec = { interactive: false };
  const exec = {
    apiVersion,
    command: await findProgram("@gatehouse/credential-plugins", "gatehouse-credential-oidc"),
    args: [`--issuer-url=${issuer}`, `--client-id=${developmentClientId}`, `--ca-file=${pki.caFile}`],
    // For clients that do not say it themselves, as @kubernetes/client-node.
    env: [{ name: "KUBERNETES_EXEC_INFO", value: JSON.stringify({ kind: "ExecCredential", apiVersion, spec }) }],
    interactiveMode: "IfAvailable",
    provideClusterInfo: false,
  };
  await mergeKubeconfig(oidcKubeconfigOf(dataDir), {
    clusterName: "gatehouse",
    cluster: { server: `https://127.0.0.1:${apiServer.port}`, "certificate-authority": pki.caFile },
    userName: "oidc",
    user: { exec },
  });
}

function clusterAt(port: number, authorityPem: string): Readonly<Record<string, string>> {
  return { "certificate-authority-data": base64(authorityPem), server: `https://127.0.0.1:${port}` };
}

function certificateUser(client: { readonly certificatePem: string; readonly keyPem: string }) {
  return { "client-certificate-data": base64(client.certificatePem), "client-key-data": base64(client.keyPem) };
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
