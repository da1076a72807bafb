import { type ClientHttp2Session, type ClientSessionOptions, connect } from "node:http2";
import { request as startRequest } from "node:https";
import type { Certificates } from "../certificates.js";
import { readClientTls } from "../processes/client-tls.js";
import { type ServedWebhook, serveWebhook } from "./served-webhook.js";

/** One HTTP request, sent on a connection of its own. */
export interface StallHttpRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

/** The server under measurement, as the suspected requests see it. */
export interface StallTarget {
  /** Over HTTP/1.1. Resolves to the status when the whole answer has come. */
  send(request: StallHttpRequest): Promise<string>;
  /** Serves a webhook that answers each review, whose `uid` is told, with the text. */
  serveWebhook(answer: (uid: string) => string): Promise<ServedWebhook>;
  /** A connection for HTTP/2, closed when the request is over or abandoned. */
  connectHttp2(options: ClientSessionOptions): ClientHttp2Session;
}

/** Requests end when `signal` aborts. */
export function stallTarget(port: number, certificates: Certificates, signal: AbortSignal): StallTarget {
  const tls = readClientTls(certificates);
  return {
    send: ({ method = "GET", path, headers = {}, body }) =>
      new Promise((resolve, reject) => {
        const length = body === undefined ? {} : { "content-length": body.length };
        const outgoing = startRequest(
          { ...tls, host: "127.0.0.1", port, agent: false, method, path, headers: { ...headers, ...length }, signal },
          (response) => {
            response.on("error", reject);
            response.on("end", () => resolve(String(response.statusCode)));
            response.resume();
          },
        );
        outgoing.on("error", reject);
        outgoing.end(body);
      }),
    serveWebhook: (answer) => serveWebhook(certificates, answer),
    connectHttp2(options) {
      const session = connect(`https://127.0.0.1:${port}`, { ...tls, ...options });
      session.on("error", () => {});
      signal.addEventListener("abort", () => session.destroy(), { once: true });
      return session;
    },
  };
}
