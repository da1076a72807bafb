import { type IncomingMessage, ServerResponse } from "node:http";
import type { Server } from "node:https";
import type { Socket } from "node:net";
import { type FramingFault, framingFault } from "@gatehouse/component-base/https-service";
import { inNextRound } from "@gatehouse/component-base/time";
import type { Handler } from "../request/handler.js";
import { RequestContext } from "../request/request-context.js";
import { answer } from "./answer-safely.js";
import { Http1Exchange, hasBody } from "./http1-exchange.js";

/** Serves the connections of the secure port that speak HTTP/1.1 or 1.0. */
export function serveHttp1(server: Server, handler: Handler): void {
  /** Connections that close when their last answer, a refusal, is out. */
  const refused = new WeakSet<Socket>();
  const serve = (
    request: IncomingMessage,
    response: ServerResponse,
    mustContinue: boolean,
    afterUpgrade?: Buffer,
  ): void => {
    const fault = framingFault(request) ?? (request.method === "CONNECT" ? undefined : faultOfHost(request));
    if (fault !== undefined) {
      refused.add(request.socket);
      refuse(response, fault);
    } else if (request.url === "*" && request.method === "OPTIONS") {
      response.writeHead(200, { "Content-Length": 0 }).end();
    } else {
      const context = new RequestContext(new Http1Exchange(request, response, mustContinue, afterUpgrade));
      if (hasBody(request)) {
        // At once: what has arrived of a body that nobody reads yet makes Node cut the connection off.
        void answer(handler, context);
      } else {
        // In a round of its own: Node stops reading for good when the first of many pipelined requests is answered while
        // it still parses the others.
        inNextRound(() => answer(handler, context));
      }
    }
  };
  server.on("request", (request, response) => {
    serve(request, response, false);
  });
  server.on("checkContinue", (request, response) => {
    serve(request, response, true);
  });
  // Without a listener the connection would be cut, and the client not know why.
  server.on("connect", (request: IncomingMessage, socket: Socket) => {
    serve(request, lastResponse(request, socket), false);
  });
  server.on("upgrade", (request: IncomingMessage, socket: Socket, head: Buffer) => {
    if (hasBody(request)) {
      // Node leaves the body to its user here. A server may decline any upgrade (RFC 9110, section 7.8).
      declineUpgrade(server, request, socket, head);
      return;
    }
    serve(request, lastResponse(request, socket), false, head);
  });
  server.on(
    "clientError",
    (error: Error & { code?: string; reason?: string }, socket: Socket & { _httpMessage?: ServerResponse }) => {
      if (refused.has(socket)) {
        return;
      }
      if (error.code === "ERR_HTTP_REQUEST_TIMEOUT" || !socket.writable || socket._httpMessage?.headersSent === true) {
        socket.destroy();
        return;
      }
      const [status, text] = refusals.get(error.reason ?? "") ?? refusals.get(error.code ?? "") ?? badRequest;
      socket.end(
        `HTTP/1.1 ${status}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n${text ?? status}`,
      );
    },
  );
}

/** Returns the response to the last request of a connection, which nothing reads any more. */
function lastResponse(request: IncomingMessage, socket: Socket): ServerResponse {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.once("finish", () => socket.end());
  return response;
}

/** Reads a request for another protocol anew, as one that asks for none. `head`: the bytes that follow its headers. */
function declineUpgrade(server: Server, request: IncomingMessage, socket: Socket, head: Buffer): void {
  const { method, url, httpVersion, rawHeaders } = request;
  let text = `${method} ${url} HTTP/${httpVersion}\r\n`;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() !== "upgrade") {
      text += `${rawHeaders[at]}: ${rawHeaders[at + 1]}\r\n`;
    }
  }
  socket.unshift(Buffer.concat([Buffer.from(`${text}\r\n`, "latin1"), head]));
  server.emit("secureConnection", socket);
}

/** Status line and text for what Node's parser refuses, by its reason or code, as Go's server words it. */
const refusals: ReadonlyMap<string, readonly [status: string, text?: string]> = new Map([
  ["HPE_HEADER_OVERFLOW", ["431 Request Header Fields Too Large"]],
  ["HPE_INVALID_HEADER_TOKEN", ["400 Bad Request", "400 Bad Request: invalid header name"]],
  // The encoding is known, and yet a proxy could believe the length: a request of its own fault.
  ["Transfer-Encoding can't be present with Content-Length", ["400 Bad Request"]],
  ["HPE_INVALID_TRANSFER_ENCODING", ["501 Not Implemented", "Unsupported transfer encoding"]],
  [
    "Invalid HTTP version",
    ["505 HTTP Version Not Supported", "505 HTTP Version Not Supported: unsupported protocol version"],
  ],
]);
const badRequest: readonly [status: string, text?: string] = ["400 Bad Request"];

/**
 * Returns the fault of the Host header (RFC 9112, section 3.2): there must be exactly one, of valid characters.
 * Undefined for none.
 */
function faultOfHost(request: IncomingMessage): FramingFault | undefined {
  const { host } = request.headers;
  if (host === undefined) {
    return request.httpVersionMinor === 0 ? undefined : badHost("400 Bad Request: missing required Host header");
  }
  const { rawHeaders } = request;
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === "host") {
      hosts++;
    }
  }
  if (hosts > 1) {
    return badHost("400 Bad Request");
  }
  return /^[\w!$%&'()*+,\-.:;=[\]~]*$/.test(host) ? undefined : badHost("400 Bad Request: malformed Host header");
}

function badHost(text: string): FramingFault {
  return { status: 400, text };
}

/** Ends the connection with an answer that nothing below has seen, as Go's server does. */
function refuse(response: ServerResponse, { status, text }: FramingFault): void {
  response.sendDate = false;
  response.removeHeader("Transfer-Encoding");
  response.writeHead(status, { "Content-Type": "text/plain; charset=utf-8", Connection: "close" });
  response.end(text);
}
