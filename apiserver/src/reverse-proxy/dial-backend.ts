import type { Socket } from "node:net";
import type { SecureContext } from "node:tls";
import type { CallTls } from "@gatehouse/component-base/credentials";
import { type DialAddress, secureConnection, secureContextOf } from "@gatehouse/component-base/http-client";
import type { Backend } from "./backend.js";

/** TLS of the connections to backends: trusted authorities, the client certificate, and how servers are checked. */
export interface BackendTls extends CallTls {
  /** The name that certificates must be for, instead of the host of the backend. */
  readonly serverName?: string;
  /** True if any certificate is taken. */
  readonly insecureSkipTlsVerify: boolean;
}

/** Opens a TCP connection, directly or through a proxy. Rejects with the reason. */
export type DialBackend = (address: DialAddress) => Promise<Socket>;

/** Opens connections to backends with one set of TLS material. */
export class BackendDialer {
  readonly tls: BackendTls;
  readonly #dial: DialBackend;
  #context: SecureContext | undefined;

  constructor(tls: BackendTls, dial: DialBackend) {
    this.tls = tls;
    this.#dial = dial;
  }

  /** Opens a connection, with TLS if the backend has it. The socket's `alpnProtocol` tells which protocol was agreed. */
  async open({ scheme, host, port }: Backend, alpnProtocols: readonly string[]): Promise<Socket> {
    const socket = await this.#dial({ host, port });
    if (scheme === "http") {
      return socket;
    }
    try {
      this.#context ??= secureContextOf(this.tls, { verifies: !this.tls.insecureSkipTlsVerify });
    } catch (error) {
      socket.destroy();
      throw error;
    }
    return await secureConnection(socket, {
      context: this.#context,
      authoritiesPem: this.tls.certificateAuthorityPem,
      serverName: this.tls.serverName ?? host,
      insecureSkipTlsVerify: this.tls.insecureSkipTlsVerify,
      alpnProtocols,
    });
  }
}
