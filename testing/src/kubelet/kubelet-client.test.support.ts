import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import type { Duplex } from "node:stream";
import { buffer, text } from "node:stream/consumers";
import { SpdyConnection, type SpdyStream } from "@gatehouse/component-base/spdy";
import { WebSocket } from "ws";
import type { TestNode } from "./index.js";

/** The end of a command as a client sees it. */
export interface CommandOutcome {
  readonly stdout: string;
  readonly stderr: string;
  /** The content of the error stream. */
  readonly error: string;
}

/** Calls a kubelet as an API server does. */
export class KubeletClient {
  readonly #node: TestNode;
  readonly #tls: { readonly ca: string; readonly cert?: string; readonly key?: string };

  constructor(node: TestNode, tls: { readonly ca: string; readonly cert?: string; readonly key?: string }) {
    this.#node = node;
    this.#tls = tls;
  }

  /** Sends a request and returns its answer while the body still comes. */
  async open(path: string, method = "GET"): Promise<IncomingMessage> {
    const asked = request({ ...this.#target(path), method }).end();
    const [response] = (await once(asked, "response")) as [IncomingMessage];
    return response;
  }

  async get(path: string, method = "GET"): Promise<{ status: number; body: string }> {
    const response = await this.open(path, method);
    return { status: response.statusCode ?? 0, body: await text(response) };
  }

  /** Asks for an upgrade; returns the answer, with a socket if it was 101. */
  async upgrade(
    path: string,
    headers: Record<string, string>,
  ): Promise<{ status: number; body: string; socket?: Duplex }> {
    const asked = request({
      ...this.#target(path),
      method: "POST",
      headers: { connection: "Upgrade", ...headers },
    }).end();
    return await new Promise((resolve, reject) => {
      asked.on("error", reject);
      asked.on("upgrade", (_response, socket) => resolve({ status: 101, body: "", socket }));
      asked.on("response", (response) => {
        resolve(text(response).then((body) => ({ status: response.statusCode ?? 0, body })));
      });
    });
  }

  async spdy(path: string, protocol: string): Promise<SpdyConnection> {
    const headers = { upgrade: "SPDY/3.1", "x-stream-protocol-version": protocol };
    const { status, body, socket } = await this.upgrade(path, headers);
    if (socket === undefined) {
      throw new Error(`${path}: ${status} ${body}`);
    }
    return new SpdyConnection(socket, { role: "client" });
  }

  /** Runs a command over SPDY; `use` gets the streams that the query asks for. */
  async command(
    path: string,
    use: (streams: Readonly<Record<string, SpdyStream>>) => void = () => {},
    protocol = "v4.channel.k8s.io",
  ): Promise<CommandOutcome> {
    const connection = await this.spdy(path, protocol);
    const query = new URL(path, "https://node").searchParams;
    const names = ["input", "output", "error", "tty"].filter((name) => query.get(name) === "1");
    const types = { input: "stdin", output: "stdout", error: "stderr", tty: "resize" };
    const streams: Record<string, SpdyStream> = {};
    for (const type of ["error", ...names.map((name) => types[name as keyof typeof types])]) {
      streams[type] = await connection.open(new Map([["streamtype", type]]));
    }
    use(streams);
    const read = async (type: string): Promise<string> =>
      streams[type] === undefined ? "" : (await buffer(streams[type])).toString();
    const [stdout, stderr, error] = await Promise.all([read("stdout"), read("stderr"), read("error")]);
    await connection.close();
    return { stdout, stderr, error };
  }

  /** Opens a WebSocket; messages are collected from the first one on. */
  async webSocket(path: string, protocols: readonly string[]): Promise<{ socket: WebSocket; messages: Buffer[] }> {
    const { ca, host, port, cert, key } = this.#target(path);
    const tls = { ca, ...(cert === undefined ? {} : { cert }), ...(key === undefined ? {} : { key }) };
    const socket = new WebSocket(`wss://${host}:${port}${path}`, [...protocols], tls);
    const messages: Buffer[] = [];
    socket.on("message", (message: Buffer) => messages.push(message));
    await once(socket, "open");
    return { socket, messages };
  }

  #target(path: string) {
    return { host: this.#node.address, port: this.#node.port, path, agent: false as const, ...this.#tls };
  }
}
