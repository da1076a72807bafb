import { Agent, type ClientRequest, type IncomingMessage, type RequestOptions, request } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { HeaderFields } from "../request/header-fields.js";
import {
  authorityOf,
  type Backend,
  type BackendAnswer,
  type BackendContent,
  type BackendRequest,
  originOf,
} from "./backend.js";
import { valuesOf, withoutOuterBlanks } from "./forwarded-fields.js";
import { pipeBody } from "./pipe-body.js";
import { abandonWith } from "./recipient.js";
import { BackendClosedError, maxHeaderBytes, UnaskedUpgradeError } from "./transport-errors.js";

/** Options of requests that the agent of backends carries out. */
interface AgentOptions extends RequestOptions {
  readonly backend?: Backend;
}

/** Keeps connections of HTTP/1.1 to backends. */
export class Http1Backends extends Agent {
  readonly #open: (backend: Backend) => Promise<Socket>;

  constructor(open: (backend: Backend) => Promise<Socket>, idleTimeoutMs: number, maxIdle: number) {
    super({ keepAlive: true, timeout: idleTimeoutMs, maxFreeSockets: maxIdle, scheduling: "lifo" });
    this.#open = open;
  }

  override getName({ backend }: AgentOptions = {}): string {
    return backend === undefined ? "" : originOf(backend);
  }

  /** Closes idle connections, and the others when their answers have ended. */
  retire(): void {
    this.maxFreeSockets = 0;
    for (const sockets of Object.values(this.freeSockets)) {
      for (const socket of sockets ?? []) {
        socket.destroy();
      }
    }
  }

  override createConnection(
    { backend }: AgentOptions,
    done?: (error: Error | null, socket: Duplex) => void,
  ): Duplex | null | undefined {
    this.#open(backend as Backend).then(
      (socket) => {
        // Node listens to it only while a request has its parser: not while the last bytes of one go out behind its answer.
        socket.on("error", ignore);
        done?.(null, socket);
      },
      (error: Error) => done?.(error, undefined as unknown as Duplex),
    );
    return undefined;
  }
}

/** A request that was sent over HTTP/1.1. */
export interface Http1Call {
  readonly answer: Promise<BackendAnswer>;
  /** True if it was sent on a connection that had carried an earlier one. */
  readonly isReused: boolean;
}

/** Sends a request over a kept connection of HTTP/1.1, or a new one. */
export function sendHttp1(agent: Http1Backends, backend: Backend, asked: BackendRequest): Http1Call {
  const sent = newRequest(backend, asked, { agent });
  const answer = new Promise<BackendAnswer>((resolve, reject) => {
    let isAnswered = false;
    sent.once("response", (message) => {
      if (message.statusCode === 101) {
        sent.destroy(new UnaskedUpgradeError());
      } else {
        isAnswered = true;
        resolve(answerOf(message, sent, asked.body !== undefined));
      }
    });
    sent.on("error", reject);
    sent.once("close", () => {
      if (!isAnswered) {
        reject(new BackendClosedError());
      }
    });
  });
  // Not earlier: what has begun to be read cannot be sent again over another connection.
  sent.once("socket", () => {
    if (asked.body === undefined) {
      sent.end();
    } else {
      pipeBody(asked.body, sent, () => {
        sent.addTrailers(pairsOf(asked.trailers?.() ?? []));
      });
    }
  });
  destroyWith(asked, sent);
  return {
    answer,
    get isReused() {
      return sent.reusedSocket;
    },
  };
}

/** The outcome of asking a backend for another protocol: the changed connection, or another answer. */
export type UpgradeOutcome =
  | { readonly answer: BackendAnswer; readonly socket: Duplex }
  | { readonly answer: BackendAnswer; readonly socket?: undefined };

/** Asks for another protocol over a connection of its own. The answer to a change has no body. */
export function sendUpgrade(socket: Socket, backend: Backend, asked: BackendRequest): Promise<UpgradeOutcome> {
  const sent = newRequest(backend, asked, { createConnection: () => socket });
  destroyWith(asked, sent);
  return new Promise((resolve, reject) => {
    sent.once("upgrade", (message, changed, head) => {
      if (head.length > 0) {
        changed.unshift(head);
      }
      resolve({ answer: answerOf(message, sent), socket: changed });
    });
    sent.once("response", (message) => resolve({ answer: answerOf(message, sent) }));
    sent.on("error", reject);
    sent.once("close", () => reject(new BackendClosedError()));
    sent.end();
  });
}

function newRequest(backend: Backend, asked: BackendRequest, options: RequestOptions): ClientRequest {
  // A client of HTTP/2 may name no host, which HTTP/1.1 needs.
  const host = valuesOf(asked.fields, "host").length === 0 ? ["Host", authorityOf(backend)] : [];
  const all: AgentOptions & { headers: readonly string[] } = {
    ...options,
    backend,
    method: asked.method,
    path: asked.target,
    headers: [...host, ...withoutOuterBlanks(asked.fields), ...framingOf(asked)],
    maxHeaderSize: maxHeaderBytes,
    setHost: false,
  };
  return request(all as RequestOptions);
}

/** Returns the header that frames the body, where the client has given none; without one Node would frame it by itself. */
function framingOf({ method, fields, body }: BackendRequest): readonly string[] {
  if (valuesOf(fields, "content-length").length > 0) {
    return [];
  }
  if (body !== undefined) {
    return ["Transfer-Encoding", "chunked"];
  }
  return methodsWithBody.has(method) ? ["Content-Length", "0"] : [];
}

const methodsWithBody: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"]);

function answerOf(message: IncomingMessage, sent: ClientRequest, hasBody = false): BackendAnswer {
  // An answer may end before the request has: then the connection is of no more use. A request without a body has ended
  // when it was handed over: TLS confirms its write later, and Node waits for that before it uses the connection again.
  message.once("close", () => {
    if (!(hasBody ? sent.writableFinished : sent.writableEnded)) {
      sent.destroy();
    }
  });
  return {
    status: message.statusCode as number,
    statusText: message.statusMessage ?? "",
    fields: message.rawHeaders,
    content: new Http1Content(message),
  };
}

/** The content of an answer that Node reads. */
class Http1Content implements BackendContent {
  readonly body: IncomingMessage;
  #isTaken = false;

  constructor(message: IncomingMessage) {
    this.body = message;
  }

  readonly isComplete = (): boolean => this.body.complete;
  readonly trailers = (): HeaderFields => this.body.rawTrailers;

  takeWhole(length: number | undefined): Buffer | undefined {
    const { body } = this;
    const isHere =
      length === undefined
        ? body.complete && body.rawTrailers.length === 0
        : length > 0 && body.readableLength === length;
    if (!isHere || body.destroyed) {
      return undefined;
    }
    const whole = (body.read() as Buffer | null) ?? Buffer.alloc(0);
    this.#isTaken = true;
    body.resume();
    return whole;
  }

  destroy(): void {
    if (!this.#isTaken) {
      this.body.destroy();
    }
  }
}

function pairsOf(fields: readonly string[]): [string, string][] {
  return fields.flatMap((name, at) => (at % 2 === 0 ? [[name, fields[at + 1] as string] as [string, string]] : []));
}

function destroyWith({ recipient }: BackendRequest, sent: ClientRequest): void {
  sent.once(
    "close",
    abandonWith(recipient, () => sent.destroy()),
  );
}

function ignore(): void {}
