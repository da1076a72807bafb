import type { Socket } from "node:net";
import type { SecureContext } from "node:tls";
import type { MaybePromise } from "@gatehouse/envelopes/scheduling";
import type { CallTls } from "../credentials/call-tls.js";
import type { ClientConfig } from "../kubeconfig/client-config.js";
import { type DialAddress, dial } from "./dial.js";
import { hostOf, openTunnel, portOf } from "./proxy.js";
import { secureConnection } from "./secure-connection.js";
import { secureContextOf } from "./secure-context.js";

/** The server that a connection leads to. */
export interface ConnectionTarget {
  readonly config: ClientConfig;
  /**
   * Returns the addresses to connect to instead of the host and port of the server; called for each new connection, and
   * the first address that accepts is used. The Host header and TLS keep the server's name. An error goes to the caller
   * of the request as `cause` of its HttpClientError.
   */
  readonly dialAddresses?: () => MaybePromise<readonly DialAddress[]>;
}

/** Opens a connection of a client: through its proxy or not, with TLS when there is a context for it. */
export async function openConnection(
  { config, dialAddresses }: ConnectionTarget,
  context: SecureContext | undefined,
  tls: CallTls,
): Promise<Socket> {
  const { server, proxyUrl } = config;
  const target = { host: hostOf(server), port: portOf(server) };
  const addresses = dialAddresses === undefined ? [target] : await dialAddresses();
  const socket = proxyUrl === undefined ? await dial(addresses) : await dialProxy(proxyUrl);
  if (context === undefined) {
    return socket;
  }
  const [address = target] = addresses;
  return await secureConnection(proxyUrl === undefined ? socket : await openTunnel(socket, proxyUrl, address), {
    context,
    authoritiesPem: tls.certificateAuthorityPem,
    serverName: config.tlsServerName ?? target.host,
    insecureSkipTlsVerify: config.insecureSkipTlsVerify,
  });
}

/** A proxy is trusted by the authorities of the host, whatever those of the server are. */
async function dialProxy(proxy: URL): Promise<Socket> {
  const socket = await dial([{ host: hostOf(proxy), port: portOf(proxy) }]);
  return proxy.protocol === "http:"
    ? socket
    : await secureConnection(socket, {
        context: secureContextOf({}),
        authoritiesPem: undefined,
        serverName: hostOf(proxy),
        insecureSkipTlsVerify: false,
      });
}
