import { findProgram } from "./find-program.js";
import type { StackContext } from "./stack-context.js";
import type { StackPart } from "./stack-part.js";

/** Issues the tokens of service accounts; whoever asks the API server's own name of a token's audience gets it, too. */
export const serviceAccountIssuer = "https://kubernetes.default.svc.cluster.local";

/** Settings of one start of the API server. */
export interface ApiServerOptions {
  readonly port: number;
  /** Runs in the place of gatehouse-apiserver. */
  readonly script: string | undefined;
  readonly moreFlags: readonly string[];
  /** Identity provider, whose keys are fetched at once and, after a failure, only some time later. */
  readonly identityProvider: StackPart | undefined;
}

/** The API server: the `gatehouse-apiserver` command of the package `@gatehouse/server`, or another script in its place. */
export async function apiServer(
  { dataDir, pki }: StackContext,
  { port, script, moreFlags, identityProvider }: ApiServerOptions,
): Promise<StackPart> {
  return {
    id: "apiserver",
    name: "API server",
    script: script ?? (await findProgram("@gatehouse/server", "gatehouse-apiserver")),
    flags: [
      "--bind-address=127.0.0.1",
      `--secure-port=${port}`,
      `--cert-dir=${dataDir.pki}`,
      `--tls-cert-file=${pki.apiServer.certFile}`,
      `--tls-private-key-file=${pki.apiServer.keyFile}`,
      `--client-ca-file=${pki.cluster.certFile}`,
      `--root-ca-file=${pki.caFile}`,
      `--data-dir=${dataDir.store}`,
      `--cluster-signing-cert-file=${pki.cluster.certFile}`,
      `--cluster-signing-key-file=${pki.cluster.keyFile}`,
      `--service-account-issuer=${serviceAccountIssuer}`,
      `--service-account-key-file=${pki.serviceAccountKeyFile}`,
      `--service-account-signing-key-file=${pki.serviceAccountKeyFile}`,
      "--allow-privileged=true",
      "--pod-termination=immediate",
      // For `kubectl gatehouse blame`.
      "--admission-blame=true",
      ...moreFlags,
    ],
    logFile: dataDir.logOf("apiserver"),
    port,
    ...(identityProvider === undefined ? {} : { after: identityProvider }),
  };
}
