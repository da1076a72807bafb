import { once } from "node:events";
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from "node:http2";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";
import { type CertificateAndKey, issueCertificate } from "@gatehouse/component-base/pki";

/** A request as an API server behind the one under test got it. */
export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly httpVersion: string;
  /** Names and values in turn, as they were sent; names in lower case over HTTP/2. */
  readonly rawHeaders: readonly string[];
  /** The common name of the client certificate; empty without one. */
  readonly certificate: string;
}

/** Answers a request to a stand-in; `received` is what the test looks at. */
export type Answer = (request: Http2ServerRequest, response: Http2ServerResponse, received: ReceivedRequest) => void;

/** An API server in this process that stands behind the one under test. */
export interface StandIn extends AsyncDisposable {
  readonly port: number;
  /** The authority of its certificate, as PEM. */
  readonly authority: string;
  readonly received: ReceivedRequest[];
  /** Connections that are open now. */
  readonly connections: number;
  /** Answers from here on; what it does not answer ends with 404. */
  answer: Answer;
  /** Cuts all connections; new ones are taken. */
  cut(): void;
  /** Stops to listen and cuts all connections; `start` takes the same port again. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

const dayMs = 24 * 60 * 60 * 1000;

/** Options of `startStandIn`. */
export interface StandInOptions {
  /** Names that the certificate is for; none for a certificate that has its name in its subject alone. */
  readonly dnsNames: readonly string[];
  /** The name in the subject of the certificate; any when absent. */
  readonly commonName?: string;
  /** The end of the certificate; tomorrow when absent. */
  readonly notAfter?: Date;
  /** True for HTTP/1.1 alone. */
  readonly http1?: boolean;
}

/** Starts an API server of one group version: it answers discovery, and everything else by `answer`. */
export async function startStandIn(options: StandInOptions): Promise<StandIn> {
  const { authority, server: pair } = await certificates(options);
  const received: ReceivedRequest[] = [];
  const open = new Set<TLSSocket>();
  const tls = { key: pair.keyPem, cert: pair.certificatePem, requestCert: true, rejectUnauthorized: false };
  const http =
    options.http1 === true
      ? // The requests and answers of both have what is used here.
        (createServer(tls) as unknown as Http2SecureServer)
      : createSecureServer({ ...tls, allowHTTP1: true });
  http.on("secureConnection", (socket) => {
    open.add(socket);
    socket.on("error", () => {});
    socket.once("close", () => open.delete(socket));
  });
  http.on("request", (request, response) => {
    const socket = request.stream?.session?.socket ?? request.socket;
    const all: ReceivedRequest = {
      method: request.method,
      url: request.url,
      httpVersion: request.httpVersion,
      rawHeaders: request.rawHeaders,
      certificate: String((socket as TLSSocket).getPeerCertificate()?.subject?.CN ?? ""),
    };
    received.push(all);
    request.on("error", () => {});
    response.on("error", () => {});
    standIn.answer(request, response, all);
  });
  let port = 0;
  const standIn: StandIn = {
    get port() {
      return port;
    },
    authority: authority.certificatePem,
    received,
    get connections() {
      return open.size;
    },
    answer: (_request, response) => {
      response.writeHead(404).end();
    },
    async start() {
      http.listen(port, "127.0.0.1");
      await once(http, "listening");
      port = (http.address() as AddressInfo).port;
    },
    cut() {
      for (const socket of open) {
        socket.destroy();
      }
    },
    async stop() {
      const closed = once(http, "close");
      http.close();
      standIn.cut();
      await closed;
    },
    async [Symbol.asyncDispose]() {
      if (http.listening) {
        await standIn.stop();
      }
    },
  };
  await standIn.start();
  return standIn;
}

async function certificates({
  dnsNames,
  commonName = "stand-in",
  notAfter = new Date(Date.now() + dayMs),
}: StandInOptions): Promise<{ readonly authority: CertificateAndKey; readonly server: CertificateAndKey }> {
  const notBefore = new Date(Date.now() - 2 * dayMs);
  const authority = await issueCertificate({
    subject: { kind: "authority", commonName: "stand-in-ca" },
    notBefore,
    notAfter: new Date(Date.now() + dayMs),
  });
  const server = await issueCertificate({
    // A client's certificate has no names beside that of its subject.
    subject:
      dnsNames.length === 0
        ? { kind: "client", user: commonName, groups: [] }
        : { kind: "server", commonName, dnsNames: [...dnsNames], ipAddresses: [] },
    issuer: authority,
    notBefore,
    notAfter,
  });
  return { authority, server };
}

/** Answers with a JSON value. */
export function sendJson(response: Http2ServerResponse, value: unknown, contentType = "application/json"): void {
  response.writeHead(200, { "content-type": contentType }).end(JSON.stringify(value));
}
