import { once } from "node:events";
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createSecureServer } from "node:http2";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo, Server } from "node:net";
import { type CertificateAndKey, issueCertificate } from "@gatehouse/component-base/pki";
import { type Listener, listen } from "../http/listener.js";
import { sendText } from "../http/responder.js";
import type { RequestContext } from "../request/request-context.js";
import type { Backend } from "./backend.js";
import type { BackendTls } from "./dial-backend.js";
import { type Forwarding, forward } from "./forward.js";
import { forwardUpgrade } from "./forward-upgrade.js";
import { Transport, type TransportOptions } from "./transport.js";

const hourMs = 60 * 60 * 1000;

/** Certificates of a front and its backends, and of the authority that has signed them. */
export interface TestCertificates {
  readonly authorityPem: string;
  readonly server: CertificateAndKey;
}

/** Issues certificates for localhost. */
export async function testCertificates(): Promise<TestCertificates> {
  const lifetime = { notBefore: new Date(Date.now() - hourMs), notAfter: new Date(Date.now() + hourMs) };
  const issuer = await issueCertificate({ subject: { kind: "authority", commonName: "ca" }, ...lifetime });
  const subject = { kind: "server", commonName: "s", dnsNames: ["localhost"], ipAddresses: ["127.0.0.1"] } as const;
  return {
    authorityPem: issuer.certificatePem,
    server: await issueCertificate({ subject, issuer, ...lifetime }),
  };
}

/** A handler of a backend's requests, over HTTP/1.1 or Node's form of HTTP/2 that is compatible with it. */
export type BackendHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** The protocols that a backend of the tests speaks. */
export type Protocol = "http" | "https" | "h2";

/** A backend that is closed with everything that is open on it. */
export interface TestBackend extends AsyncDisposable {
  readonly backend: Backend;
  readonly server: Server;
  /** Connections that were opened so far. */
  readonly connections: () => number;
}

/** Starts a backend on a free port. */
export async function startBackend(
  protocol: Protocol,
  { server: pair }: TestCertificates,
  handler: BackendHandler,
): Promise<TestBackend> {
  const options = { cert: pair.certificatePem, key: pair.keyPem };
  const server: Server =
    protocol === "http"
      ? createHttpServer(handler)
      : protocol === "https"
        ? createHttpsServer(options, handler)
        : createSecureServer(options, handler as never);
  const sockets = new Set<{ destroy(): void }>();
  let connections = 0;
  server.on(protocol === "http" ? "connection" : "secureConnection", (socket) => {
    connections++;
    sockets.add(socket);
    socket.on("error", () => {});
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    server,
    backend: {
      scheme: protocol === "http" ? "http" : "https",
      host: "127.0.0.1",
      port: (server.address() as AddressInfo).port,
    },
    connections: () => connections,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) {
        socket.destroy();
      }
      server.close();
      await once(server, "close");
    },
  };
}

/** A secure port whose every request is forwarded. */
export interface TestFront extends AsyncDisposable {
  readonly port: number;
  /** Requests that were forwarded to their end, or have failed. */
  readonly ended: () => number;
  readonly transport: Transport;
}

/** Starts a front of a backend. A backend that cannot be asked is answered with a 503 that has the reason. */
export async function startFront(
  backend: Backend,
  certificates: TestCertificates,
  {
    transport: options,
    ...forwarding
  }: Partial<Omit<Forwarding, "transport">> & {
    readonly transport?: Partial<TransportOptions>;
  } = {},
): Promise<TestFront> {
  const tls: BackendTls = { certificateAuthorityPem: certificates.authorityPem, insecureSkipTlsVerify: false };
  const transport = new Transport({ tls: () => tls, ...options });
  let ended = 0;
  const handler = async (context: RequestContext): Promise<void> => {
    const { target } = context.exchange;
    const way = { transport, backend, target, isLongRunning: false, ...forwarding };
    try {
      await (context.exchange.asksForUpgrade ? forwardUpgrade(context, way) : forward(context, way));
    } catch (error) {
      sendText(context, 503, (error as Error).message);
    } finally {
      ended++;
    }
  };
  const listener: Listener = await listen({
    host: "127.0.0.1",
    port: 0,
    secureContext: { cert: certificates.server.certificatePem, key: certificates.server.keyPem },
    requestClientCertificate: false,
    http2MaxStreamsPerConnection: 0,
    handler,
    onError: () => {},
  });
  return {
    port: listener.port,
    ended: () => ended,
    transport,
    [Symbol.asyncDispose]: async () => {
      transport[Symbol.dispose]();
      await listener.close(0);
    },
  };
}
