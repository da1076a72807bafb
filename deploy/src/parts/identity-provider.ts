import { randomBytes } from "node:crypto";
import type { DataDir } from "../data-dir.js";
import { developmentClientId } from "../identity-provider/client-id.js";
import { ensureConfiguration } from "./ensure-configuration.js";
import { findProgram } from "./find-program.js";
import type { StackContext } from "./stack-context.js";
import type { StackPart } from "./stack-part.js";

/** Returns the file of the users of a new stack's identity provider; afterwards it belongs to the user. */
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
export async function identityProvider({ dataDir, pki, ports }: StackContext): Promise<StackPart> {
  const usersFile = usersFileOf(dataDir);
  await ensureConfiguration(usersFile, users());
  const port = await ports.claim("identity-provider");
  const { certFile, keyFile } = await pki.ofServer("identity-provider");
  return {
    id: "identity-provider",
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

/** Returns the path of the file of users who can log in. */
export function usersFileOf(dataDir: DataDir): string {
  return dataDir.fileOf("identity-provider-users.yaml");
}

/** The kubeconfig of people who log in. */
export function oidcKubeconfigOf(dataDir: DataDir): string {
  return dataDir.fileOf("oidc.kubeconfig");
}
