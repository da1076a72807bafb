import { readFile } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { followFiles } from "@gatehouse/component-base/files";
import type { CertificatePem, ClientIdentity } from "@gatehouse/component-base/kubeconfig";
import { problemAt } from "@gatehouse/component-base/problems";

/** The client certificate by which other servers know this one as a front proxy. */
export interface ProxyIdentity extends Disposable {
  /** The certificate for clients that follow its files themselves; empty for none. */
  readonly identity: ClientIdentity;
  /** The certificate as it is now; undefined for none. The same value until it changes. */
  readonly current: CertificatePem | undefined;
}

/** Milliseconds between looks at the files. */
const pollIntervalMs = 10_000;

/**
 * Reads the client certificate and follows its files. Rejects with a ConfigurationError when they cannot be used now;
 * `onRefusal` is called when they cannot be used later, and the earlier certificate stays.
 */
export async function openProxyIdentity(
  files: { readonly certFile: string; readonly keyFile: string } | undefined,
  onRefusal: (error: Error) => void,
): Promise<ProxyIdentity> {
  if (files === undefined) {
    return { identity: {}, current: undefined, [Symbol.dispose]() {} };
  }
  const { certFile, keyFile } = files;
  const read = async (): Promise<CertificatePem> => {
    const [certificatePem, keyPem] = await Promise.all([readFile(certFile, "utf8"), readFile(keyFile, "utf8")]);
    createSecureContext({ cert: certificatePem, key: keyPem });
    return { certificatePem, keyPem };
  };
  try {
    const followed = await followFiles({
      files: [certFile, keyFile],
      read,
      pollIntervalMs,
      onReload() {},
      onRefusal,
    });
    return {
      identity: { clientCertificate: followed.current, clientCertificateFiles: files },
      get current() {
        return followed.current;
      },
      [Symbol.dispose]: () => followed[Symbol.dispose](),
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigurationError("flags", [problemAt("--proxy-client-cert-file", `cannot be used: ${reason}`)]);
  }
}
