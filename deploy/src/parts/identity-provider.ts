import { randomBytes } from "node:crypto";
import { writeFileAtomic } from "@gatehouse/component-base";
import { encodeYaml } from "@gatehouse/envelopes";
import type { DataDir } from "../data-dir.js";
import { claimPort } from "../free-port.js";
import { developmentClientId } from "../identity-provider/client-id.js";
import { ensureConfiguration } from "./ensure-configuration.js";
import { findProgram } from "./find-program.js";
import type { StackContext } from "./stack-context.js";
import type { StackPart } from "./stack-part.js";

/** Who can log in at a new stack, until somebody changes the file. */
function users(): string {
  const password = (): string => randomBytes(9).toString("base64url");
  return `# Who can log in at the identity provider of this stack. Change them and start the stack again.
users:
  - name: alice
    password: "${password()}"
    groups: [developers]
  - name: bob
    password: "${password()}"
    groups: [visitors]
`;
}

/** An identity provider to log in at: the `gatehouse-dev-identity-provider` command of this package. */
export async function identityProvider({ dataDir, pki }: StackContext): Promise<StackPart> {
  const usersFile = usersFileOf(dataDir);
  await ensureConfiguration(usersFile, users());
  const port = await claimPort(0);
  const { certFile, keyFile } = await pki.ofServer("identity-provider");
  return {
    name: "identity provider",
    script: await findProgram("@gatehouse/deploy", "gatehouse-dev-identity-provider"),
    flags: [
      `--users-file=${usersFile}`,
      `--port=${port}`,
      `--tls-cert-file=${certFile}`,
      `--tls-private-key-file=${keyFile}`,
    ],
    logFile: dataDir.logOf("identity-provider"),
    port,
  };
}

/** Writes a kubeconfig that logs in at the provider through kubectl's exec plugin. */
export async function writeOidcKubeconfig(
  { dataDir, pki }: StackContext,
  provider: StackPart,
  apiServerPort: number,
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
  const kubeconfig = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [
      {
        name: "gatehouse",
        cluster: { server: `https://127.0.0.1:${apiServerPort}`, "certificate-authority": pki.caFile },
      },
    ],
    users: [{ name: "oidc", user: { exec } }],
    contexts: [{ name: "oidc@gatehouse", context: { cluster: "gatehouse", user: "oidc" } }],
    "current-context": "oidc@gatehouse",
  };
  await writeFileAtomic(oidcKubeconfigOf(dataDir), encodeYaml(kubeconfig), { mode: 0o600 });
}

/** Has the API server itself believe the provider. */
export function oidcFlags({ pki }: StackContext, provider: StackPart): string[] {
  return [
    `--oidc-issuer-url=https://127.0.0.1:${provider.port}`,
    `--oidc-client-id=${developmentClientId}`,
    `--oidc-ca-file=${pki.caFile}`,
    "--oidc-username-claim=preferred_username",
    "--oidc-username-prefix=oidc:",
    "--oidc-groups-claim=groups",
    "--oidc-groups-prefix=oidc:",
  ];
}

/** Where it stands who can log in. */
export function usersFileOf(dataDir: DataDir): string {
  return dataDir.fileOf("identity-provider-users.yaml");
}

/** The kubeconfig of people who log in. */
export function oidcKubeconfigOf(dataDir: DataDir): string {
  return dataDir.fileOf("oidc.kubeconfig");
}
