import { connect, type Socket } from "node:net";
import type { DialBackend } from "@gatehouse/apiserver/reverse-proxy";
import { type ClientCredentials, openClientCredentials } from "@gatehouse/component-base/credentials";
import {
  dial,
  hostOf,
  openTunnel,
  portOf,
  secureConnection,
  secureContextOf,
} from "@gatehouse/component-base/http-client";
import { type EgressFiles, readClusterProxy } from "./egress-configuration.js";

/** Time in milliseconds to reach a proxy on this machine. */
const socketTimeoutMs = 30_000;

/**
 * Returns the function that opens connections to the cluster as an EgressSelectorConfiguration says; undefined for direct
 * ones. Rejects with a ConfigurationError for a file that cannot be used.
 */
export async function openClusterDialer(file: string): Promise<DialBackend | undefined> {
  const proxy = await readClusterProxy(file);
  if (proxy === undefined) {
    return undefined;
  }
  if ("socketPath" in proxy) {
    const { socketPath } = proxy;
    return async (address) => await openTunnel(await connectTo(socketPath), new URL("http://proxy"), address);
  }
  const { url, files } = proxy;
  const at = [{ host: hostOf(url), port: portOf(url) }];
  if (files === undefined) {
    return async (address) => await openTunnel(await dial(at), url, address);
  }
  const credentials = credentialsOf(url, files);
  // A certificate that cannot be read is told of at the start.
  await credentials.forCall();
  return async (address) => {
    const { tls } = await credentials.forCall();
    const socket = await secureConnection(await dial(at), {
      context: secureContextOf(tls),
      authoritiesPem: tls.certificateAuthorityPem,
      serverName: hostOf(url),
      insecureSkipTlsVerify: false,
    });
    return await openTunnel(socket, url, address);
  };
}

function credentialsOf(server: URL, { authorityFile, certFile, keyFile }: EgressFiles): ClientCredentials {
  return openClientCredentials({
    server,
    insecureSkipTlsVerify: false,
    ...(authorityFile === undefined ? {} : { certificateAuthorityFile: authorityFile }),
    clientCertificateFiles: { certFile, keyFile },
  });
}

/** Connects to a socket of this machine. */
function connectTo(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ path, timeout: socketTimeoutMs });
    socket.once("error", reject);
    socket.once("timeout", () => socket.destroy(new Error(`the proxy at ${path} does not answer`)));
    socket.once("connect", () => {
      socket.setTimeout(0);
      socket.off("error", reject);
      resolve(socket);
    });
  });
}
