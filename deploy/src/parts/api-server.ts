import { findProgram } from "./find-program.js";
import type { StackContext } from "./stack-context.js";
import type { StackPart } from "./stack-part.js";

/** The API server: the `gatehouse-apiserver` command of the package `@gatehouse/server`, or another script in its place. */
export async function apiServer({ dataDir, pki, port }: StackContext, script: string | undefined): Promise<StackPart> {
  return {
    name: "API server",
    script: script ?? (await findProgram("@gatehouse/server", "gatehouse-apiserver")),
    flags: [
      "--bind-address=127.0.0.1",
      `--secure-port=${port}`,
      `--cert-dir=${dataDir.pki}`,
      `--tls-cert-file=${pki.apiServer.certFile}`,
      `--tls-private-key-file=${pki.apiServer.keyFile}`,
      `--client-ca-file=${pki.caFile}`,
      `--data-dir=${dataDir.store}`,
      "--authorization-mode=AlwaysAllow",
      "--allow-privileged=true",
    ],
    logFile: dataDir.logOf("apiserver"),
    port,
  };
}
