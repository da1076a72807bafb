import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { type CertificateAndKey, issueCertificate } from "@gatehouse/component-base/pki";

/** Result of a webhook for the text of a review: a document, or a fault of the connection. */
export type HookAnswer =
  | { readonly json: unknown }
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body: string }
  | { readonly wire: readonly WirePiece[]; readonly end?: "reset" }
  | "hang"
  | "reset";

/** Bytes to write past all that knows HTTP, or a pause in milliseconds. */
export type WirePiece = string | Buffer | number;

/** A review as it came, and how to answer it. */
export type Hook = (review: Review) => HookAnswer;

/** A review as received. */
export interface Review {
  readonly apiVersion: string;
  readonly request: { readonly uid: string; readonly [member: string]: unknown };
}

/** One call that was received. */
export interface ReceivedCall {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly review: Review;
}

const dayMs = 86_400_000;

/** HTTPS servers of one authority that answer as the hooks of the moment say, and keep what they have received. */
export class HookServers implements AsyncDisposable {
  readonly authority: CertificateAndKey;
  readonly received: ReceivedCall[] = [];
  hooks: Readonly<Record<string, Hook>> = {};
  readonly #servers: Server[] = [];
  readonly #names = new Map<string, string>();
  readonly #byName = new Map<string, Server>();
  readonly #open = new Map<string, number>();
  /** Connections without their TLS, by the port of the client. */
  readonly #beneath = new Map<number, Socket>();

  private constructor(authority: CertificateAndKey) {
    this.authority = authority;
  }

  static async start(): Promise<HookServers> {
    const subject = { kind: "authority", commonName: "hooks-ca" } as const;
    const servers = new HookServers(await issueCertificate({ subject, ...validFor(1) }));
    await servers.#listen("GOOD", ["127.0.0.1"], validFor(1));
    await servers.#listen("EXPIRED", ["127.0.0.1"], validFor(-1));
    await servers.#listen("OTHERNAME", ["10.9.8.7"], validFor(1));
    return servers;
  }

  /** `https://127.0.0.1:PORT` of a server by its name; nobody listens at that of `NOBODY`. */
  url(name: string): string {
    return this.#names.get(name) ?? "https://127.0.0.1:1";
  }

  get caBundle(): string {
    return Buffer.from(this.authority.certificatePem).toString("base64");
  }

  /** Gives a server another certificate of the same authority, for connections that are made from now on. */
  async rotate(name: string): Promise<void> {
    const subject = { kind: "server", commonName: "hook", dnsNames: [], ipAddresses: ["127.0.0.1"] } as const;
    const made = await issueCertificate({ subject, issuer: this.authority, ...validFor(1) });
    this.#byName.get(name)?.setSecureContext({ cert: made.certificatePem, key: made.keyPem });
  }

  /** Returns the number of open connections to a server. */
  connections(name: string): number {
    return this.#open.get(name) ?? 0;
  }

  /** Text with names in place of ports. */
  named(text: string): string {
    return [...this.#names].reduce((all, [name, url]) => all.replaceAll(new URL(url).host, name), text);
  }

  async #listen(name: string, ipAddresses: string[], times: ReturnType<typeof validFor>): Promise<void> {
    const subject = { kind: "server", commonName: "hook", dnsNames: [], ipAddresses } as const;
    const { certificatePem, keyPem } = await issueCertificate({ subject, issuer: this.authority, ...times });
    const server = createServer({ cert: certificatePem, key: keyPem }, (request, response) => {
      void this.#answer(request, response);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    this.#servers.push(server);
    this.#byName.set(name, server);
    server.on("connection", (socket: Socket) => {
      const port = socket.remotePort ?? 0;
      this.#beneath.set(port, socket);
      socket.once("close", () => this.#beneath.delete(port));
    });
    server.on("secureConnection", (socket) => {
      this.#open.set(name, this.connections(name) + 1);
      socket.once("close", () => this.#open.set(name, this.connections(name) - 1));
    });
    this.#names.set(name, `https://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = "";
    request.setEncoding("utf8");
    for await (const chunk of request) {
      text += chunk;
    }
    const path = request.url ?? "";
    const review = JSON.parse(text === "" ? "{}" : text) as Review;
    this.received.push({ path, headers: request.headers as Record<string, string>, review });
    const answer = this.hooks[path.split("?", 1)[0] ?? ""]?.(review) ?? { status: 404, body: "" };
    if (answer === "hang") {
      return;
    }
    if (answer === "reset") {
      request.socket.destroy();
      return;
    }
    if ("wire" in answer) {
      await writePieces(request.socket, answer.wire);
      if (answer.end === "reset") {
        this.#beneath.get(request.socket.remotePort ?? 0)?.resetAndDestroy();
      } else {
        request.socket.end();
      }
      return;
    }
    if ("json" in answer) {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer.json));
      return;
    }
    response.writeHead(answer.status, answer.headers ?? {}).end(answer.body);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const server of this.#servers) {
      server.close();
      server.closeAllConnections();
    }
  }
}

async function writePieces(socket: Socket, pieces: readonly WirePiece[]): Promise<void> {
  const gone = new AbortController();
  socket.once("close", () => gone.abort());
  socket.on("error", () => gone.abort());
  for (const piece of pieces) {
    if (gone.signal.aborted) {
      return;
    }
    if (typeof piece === "number") {
      await pause(piece, undefined, { signal: gone.signal }).catch(() => undefined);
    } else if (piece.length > 0) {
      socket.write(piece);
    }
  }
}

function validFor(days: number) {
  const now = Date.now();
  return { notBefore: new Date(now - 3 * dayMs), notAfter: new Date(now + days * dayMs) };
}
