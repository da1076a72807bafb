import { once } from "node:events";
import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, connect } from "node:net";
import type { Duplex } from "node:stream";
import type { TLSSocket } from "node:tls";
import type { CertificateAndKey } from "@gatehouse/component-base/pki";

/** Servers that stand for a kubelet and an application, and the proxy through which a server reaches both. */
export interface ClusterPeers extends AsyncDisposable {
  /** The URL of the proxy, which answers CONNECT: ports of kubelets lead to the kubelet, all others to the application. */
  readonly proxyUrl: string;
  /** Targets that the proxy was asked for. */
  readonly targets: string[];
  /** Answers a request to the kubelet or the application instead of telling what has arrived. */
  answer: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
}

/** The port of kubelets behind the proxy. */
export const kubeletPort = 10250;

/** Starts the peers. The kubelet shows `certificate`. */
export async function startClusterPeers(certificate: CertificateAndKey): Promise<ClusterPeers> {
  const peers: { answer: ClusterPeers["answer"] } = { answer: undefined };
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    if (peers.answer === undefined) {
      void told(request).then((text) => response.end(text));
    } else {
      peers.answer(request, response);
    }
  };
  const change = (request: IncomingMessage, socket: Duplex): void => {
    socket.on("error", () => {});
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${request.headers.upgrade}\r\n\r\n`,
    );
    void told(request).then((text) => socket.write(`${text}\n`));
    socket.on("data", (piece: Buffer) => socket.write(piece.toString().toUpperCase()));
    socket.once("end", () => socket.end("bye"));
  };
  const { certificatePem: cert, keyPem: key } = certificate;
  const kubelet = await listening(
    createHttpsServer({ cert, key, requestCert: true, rejectUnauthorized: false }, serve).on("upgrade", change),
  );
  const application = await listening(createHttpServer(serve).on("upgrade", change));
  const targets: string[] = [];
  const proxy = await listening(
    createHttpServer().on("connect", (request: IncomingMessage, socket: Duplex) => {
      const target = request.url ?? "";
      targets.push(target);
      const to = connect(portOf(target.endsWith(`:${kubeletPort}`) ? kubelet : application), "127.0.0.1");
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      socket.pipe(to).pipe(socket);
      socket.on("error", () => to.destroy());
      to.on("error", () => socket.destroy());
    }),
  );
  return Object.assign(peers, {
    proxyUrl: `http://127.0.0.1:${portOf(proxy)}`,
    targets,
    async [Symbol.asyncDispose]() {
      for (const server of [proxy, kubelet, application]) {
        server.closeAllConnections();
        server.close();
      }
    },
  });
}

/** Tells what has arrived, as JSON. */
async function told(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  if (request.headers.upgrade === undefined) {
    for await (const piece of request) {
      pieces.push(piece as Buffer);
    }
  }
  const { connection: _connection, ...headers } = request.headers;
  const caller = (request.socket as Partial<TLSSocket>).getPeerCertificate?.().subject?.CN;
  const { method, url } = request;
  return JSON.stringify({ method, url, headers, caller, body: Buffer.concat(pieces).toString() });
}

async function listening(server: Server): Promise<Server> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
