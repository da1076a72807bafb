import { isIP, type Socket } from "node:net";
import { connect, type SecureContext, type TLSSocket } from "node:tls";
import { certificateProblem, ServerCertificateError } from "./verify-server-certificate.js";

/** Options for making a connection a TLS connection. */
export interface SecureConnectionOptions {
  readonly context: SecureContext;
  /** Authorities that `context` trusts, as PEM; `undefined` for those of the host. */
  readonly authoritiesPem: string | undefined;
  /** Name or address that the server's certificate must be for; sent as SNI when it is a name. */
  readonly serverName: string;
  readonly insecureSkipTlsVerify: boolean;
  /** Protocols that are offered to the server, most wanted first; `http/1.1` alone by default. */
  readonly alpnProtocols?: readonly string[];
}

/** A handshake that did not end well for another reason than the certificate. `code` is Node's or OpenSSL's. */
export class HandshakeError extends Error {
  override readonly name = "HandshakeError";
  readonly code: string;

  constructor(code: string, options?: ErrorOptions) {
    super(`the TLS handshake failed (${code})`, options);
    this.code = code;
  }
}

/** Time limit in milliseconds for a TLS handshake, as in Go's HTTP client. */
const handshakeTimeoutMs = 10_000;

/**
 * Makes TLS of a connection and looks at the certificate of the server. Rejects with ServerCertificateError or
 * HandshakeError, and closes the connection then. Sessions are not resumed: connections are kept, so new ones are rare,
 * and a resumed session would come with the verdict of an earlier time.
 */
export function secureConnection(socket: Socket, options: SecureConnectionOptions): Promise<TLSSocket> {
  const { serverName, alpnProtocols = ["http/1.1"] } = options;
  return new Promise((resolve, reject) => {
    const secure = connect({
      socket,
      secureContext: options.context,
      ALPNProtocols: [...alpnProtocols],
      // Both are checked below, where more is known to tell.
      rejectUnauthorized: false,
      checkServerIdentity: () => undefined,
      ...(isIP(serverName) === 0 ? { servername: serverName } : {}),
    });
    const timer = setTimeout(() => fail(new HandshakeError("HANDSHAKE_TIMEOUT")), handshakeTimeoutMs);
    const fail = (error: Error): void => {
      clearTimeout(timer);
      secure.destroy();
      reject(error);
    };
    const onError = (error: Error): void => fail(new HandshakeError(codeOf(error), { cause: error }));
    secure.once("error", onError);
    secure.once("secureConnect", () => {
      verdict(secure, options).then((error) => {
        if (error !== undefined) {
          fail(error);
          return;
        }
        clearTimeout(timer);
        secure.off("error", onError);
        resolve(secure);
      }, fail);
    });
  });
}

async function verdict(socket: TLSSocket, options: SecureConnectionOptions): Promise<Error | undefined> {
  const { serverName, authoritiesPem, insecureSkipTlsVerify } = options;
  if (insecureSkipTlsVerify) {
    return undefined;
  }
  const certificate = socket.getPeerX509Certificate();
  if (certificate === undefined) {
    return new HandshakeError("NO_CERTIFICATE");
  }
  const { authorizationError } = socket as { readonly authorizationError?: unknown };
  const chainError = socket.authorized ? undefined : String(authorizationError ?? "unknown");
  const now = new Date();
  const problem = await certificateProblem({ certificate, chainError, authoritiesPem, wanted: serverName, now });
  return problem === undefined ? undefined : new ServerCertificateError(problem, now);
}

function codeOf(error: Error): string {
  return "code" in error ? String(error.code) : "unknown";
}
