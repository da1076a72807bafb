import { readFile } from "node:fs/promises";
import { isIPv6 } from "node:net";
import { join } from "node:path";
import { ConfigurationError } from "../errors.js";
import { problemAt } from "../problems/index.js";
import type { ClientConfig } from "./client-config.js";

/** The folder in which a pod finds the credentials of its service account. */
const accountFolder = "/var/run/secrets/kubernetes.io/serviceaccount";

/**
 * Returns how a process in a pod reaches the API server of its cluster: by the address in the environment, as its service
 * account. Rejects with a ConfigurationError where it does not run in a pod.
 */
export async function inClusterConfig(
  environment: Readonly<Record<string, string | undefined>>,
  folder = accountFolder,
): Promise<ClientConfig> {
  const { KUBERNETES_SERVICE_HOST: host = "", KUBERNETES_SERVICE_PORT: port = "" } = environment;
  if (host === "" || port === "") {
    throw new ConfigurationError("in-cluster configuration", [
      problemAt("environment", "KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT must be defined"),
    ]);
  }
  const [tokenFile, certificateAuthorityFile] = [join(folder, "token"), join(folder, "ca.crt")];
  const token = (await readAccountFile(tokenFile)).trim();
  const certificateAuthorityPem = await readAccountFile(certificateAuthorityFile);
  return {
    server: new URL(`https://${isIPv6(host) ? `[${host}]` : host}:${port}`),
    certificateAuthorityPem,
    certificateAuthorityFile,
    insecureSkipTlsVerify: false,
    authorization: { kind: "tokenFile", path: tokenFile, token },
  };
}

async function readAccountFile(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    throw new ConfigurationError("in-cluster configuration", [problemAt(file, `cannot be read (${code})`)]);
  }
}
