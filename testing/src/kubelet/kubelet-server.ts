import { once } from "node:events";
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import { createSecureServer } from "node:http2";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import type { TLSSocket } from "node:tls";
import type { CertificateAndKey } from "@gatehouse/component-base/pki";
import { KubeletError, type Upgrade } from "./upgrade.js";

/** Routes of a kubelet. Both throw KubeletError for what they refuse. */
export interface KubeletRoutes {
  request(request: IncomingMessage, response: ServerResponse): Promise<void>;
  upgrade(upgrade: Upgrade): Promise<void>;
}

/** Settings of the HTTPS server of a kubelet. */
export interface KubeletServerOptions {
  readonly routes: KubeletRoutes;
  readonly certificate: CertificateAndKey;
  /** PEM text of the authority that client certificates are verified with. */
  readonly clientAuthorityPem: string;
  /** True if requests without a client certificate of this authority are answered with 401. */
  readonly requireClientCertificate: boolean;
  readonly address: string;
  readonly port: number;
}

/** A server of HTTP/2 and HTTP/1.1 with TLS that closes all of its connections when it is disposed of. */
export interface KubeletServer extends AsyncDisposable {
  readonly port: number;
}

/** Starts the server of a kubelet. */
export async function startKubeletServer(options: KubeletServerOptions): Promise<KubeletServer> {
  const { routes, certificate, clientAuthorityPem, requireClientCertificate } = options;
  const server = createSecureServer({
    // Clients upgrade connections of HTTP/1.1; API servers ask for all else by HTTP/2.
    allowHTTP1: true,
    key: certificate.keyPem,
    cert: certificate.certificatePem,
    ca: clientAuthorityPem,
    requestCert: true,
    // Kubelets answer with 401 and do not end the handshake.
    rejectUnauthorized: false,
    minVersion: "TLSv1.2",
  });
  const sockets = new Set<Duplex>();
  server.on("secureConnection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  const mayCall = ({ socket }: IncomingMessage): boolean =>
    !requireClientCertificate || (socket as TLSSocket).authorized;

  server.on("request", (...exchange) => {
    // Requests and answers of HTTP/2 are compatible with those of HTTP/1.1.
    const [request, response] = exchange as unknown as [IncomingMessage, ServerResponse];
    const answer = mayCall(request) ? routes.request(request, response) : Promise.reject(unauthorized());
    answer.catch((error) => answerError(response, error));
  });
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // The peer may be gone at any time.
    socket.on("error", () => {});
    const answer = mayCall(request) ? routes.upgrade({ request, socket, head }) : Promise.reject(unauthorized());
    answer.catch((error) => refuseUpgrade(socket, error));
  });
  server.listen(options.port, options.address);
  await once(server, "listening");
  const closed = once(server, "close");
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of sockets) {
        socket.destroy();
      }
      await closed;
    },
  };
}

function unauthorized(): KubeletError {
  return new KubeletError(401, "Unauthorized");
}

function answerError(response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    // What was sent is not the whole answer, and the client must see that.
    response.destroy();
    return;
  }
  const { status, message } = refusalOf(error);
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8" }).end(message);
}

function refuseUpgrade(socket: Duplex, error: unknown): void {
  const { status, message, headers } = refusalOf(error);
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Connection: close",
    "Content-Type: text/plain; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(message)}`,
    ...headers,
  ];
  socket.end(`${lines.join("\r\n")}\r\n\r\n${message}`);
}

/** Errors that are none of a kubelet come from scripts. */
function refusalOf(error: unknown): KubeletError {
  return error instanceof KubeletError ? error : new KubeletError(500, String(error));
}
