import { randomBytes } from "node:crypto";
import { writeFileAtomic } from "@gatehouse/component-base/files";
import { formatKubeconfig } from "@gatehouse/component-base/kubeconfig";
import type { DataDir } from "../data-dir.js";
import { ensureDefaultConfiguration } from "../default-configuration.js";
import { administratorName, auditSenderName } from "../identities.js";
import type { CertificateFiles } from "../local-pki.js";
import { ensureConfiguration } from "./ensure-configuration.js";
import { findProgram } from "./find-program.js";
import type { StackContext } from "./stack-context.js";
import type { StackPart } from "./stack-part.js";

/** Returns the configuration of a new audit sink; afterwards the file belongs to the user. */
function configuration({ dataDir, pki }: StackContext, { certFile, keyFile }: CertificateFiles): string {
  return `# What the audit sink of this stack does. Change it and start the stack again.
apiVersion: config.gatehouse.dev/v1alpha1
kind: AuditSinkConfiguration
serving:
  bindAddress: 127.0.0.1
  certFile: ${JSON.stringify(certFile)}
  keyFile: ${JSON.stringify(keyFile)}
  clientCAFile: ${JSON.stringify(pki.caFile)}
senders:
  - name: apiserver
    commonNames: [${auditSenderName}]
readers:
  - name: administrator
    commonNames: [${administratorName}]
    tokenFile: ${JSON.stringify(auditTokenFileOf(dataDir))}
log:
  directory: audit/log
index: # answers questions, and feeds the console
  directory: audit/index
console:
  clusterName: gatehouse
  tokenHint: ${JSON.stringify(`The token is in the file ${auditTokenFileOf(dataDir)}.`)}
pipelines:
  - name: file
    output:
      file:
        path: audit/events.jsonl
`;
}

/** The audit sink: the `gatehouse-audit-sink` command of the package `@gatehouse/audit-sink`. */
export async function auditSink(context: StackContext): Promise<StackPart> {
  const { dataDir, ports } = context;
  const configFile = dataDir.fileOf("audit-sink.yaml");
  await ensureConfiguration(configFile, configuration(context, await context.pki.ofServer("audit-sink")));
  await ensureConfiguration(auditTokenFileOf(dataDir), `${randomBytes(24).toString("base64url")}\n`);
  const port = await ports.claim("audit-sink");
  return {
    id: "audit-sink",
    name: "audit sink",
    script: await findProgram("@gatehouse/audit-sink", "gatehouse-audit-sink"),
    flags: [`--config=${configFile}`, `--port=${port}`, "--logging-format=text"],
    logFile: dataDir.logOf("audit-sink"),
    port,
  };
}

/**
 * Writes what the API server records and how it makes itself known to the sink. Returns the API server's flags. What the
 * sink does not take, as while it is started again, waits on disk.
 */
export async function writeAuditConfiguration({ dataDir, pki }: StackContext, sink: StackPart): Promise<string[]> {
  const policyFile = auditPolicyFileOf(dataDir);
  const senderFile = dataDir.fileOf("audit-sender.kubeconfig");
  await ensureDefaultConfiguration(policyFile, "apiserver/audit-policy.yaml");
  const { certificatePem, keyPem } = await pki.ofClient("apiserver-audit");
  const kubeconfig = formatKubeconfig({
    clusterName: "audit-sink",
    server: `https://127.0.0.1:${sink.port}/audit`,
    certificateAuthorityPem: pki.authority.certificatePem,
    userName: auditSenderName,
    clientCertificatePem: certificatePem,
    clientKeyPem: keyPem,
  });
  await writeFileAtomic(senderFile, kubeconfig, { mode: 0o600 });
  return [
    `--audit-policy-file=${policyFile}`,
    `--audit-webhook-config-file=${senderFile}`,
    `--audit-webhook-spool-dir=${dataDir.fileOf("audit-spool")}`,
    "--audit-webhook-batch-max-wait=1s",
    // The sink says itself when it has too much to do.
    "--audit-webhook-batch-throttle-enable=false",
    "--audit-webhook-initial-backoff=1s",
  ];
}

/** Returns the path of a stack's audit policy. */
export function auditPolicyFileOf(dataDir: DataDir): string {
  return dataDir.fileOf("audit-policy.yaml");
}

/** Returns the path of the kubeconfig with which `gatehouse-audit` reaches the sink of a stack. */
export function auditReaderFileOf(dataDir: DataDir): string {
  return dataDir.fileOf("audit.kubeconfig");
}

/** The token for the console of a stack: browsers have no certificate. */
export function auditTokenFileOf(dataDir: DataDir): string {
  return dataDir.fileOf("audit-console.token");
}
