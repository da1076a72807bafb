import type { Socket } from "node:net";
import { Http1Connection } from "@gatehouse/component-base/http1";
import { inNextRound } from "@gatehouse/component-base/time";
import type { Handler } from "../request/handler.js";
import { RequestContext } from "../request/request-context.js";
import { answer } from "./answer-safely.js";
import { Http1Exchange } from "./http1-exchange.js";
import { maxHeaderBytes } from "./http2-server-connection.js";

/** The time in milliseconds for the head of a request, as in v1.29. */
const headTimeoutMs = 32_000;

/** Serves a connection that speaks HTTP/1.1 or 1.0. */
export function serveHttp1(socket: Socket, handler: Handler, idleTimeoutMs: number): Http1Connection {
  return new Http1Connection(socket, {
    maxHeadBytes: maxHeaderBytes,
    headTimeoutMs,
    idleTimeoutMs,
    accept(head, connection) {
      const exchange = new Http1Exchange(head, connection);
      if (head.target === "*" && head.method === "OPTIONS") {
        exchange.send(200, []);
        return exchange;
      }
      const context = new RequestContext(exchange);
      inNextRound(() => answer(handler, context));
      return exchange;
    },
  });
}
