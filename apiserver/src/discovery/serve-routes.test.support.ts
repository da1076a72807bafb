import { type AddressInfo, createServer, type Socket } from "node:net";
import { StatusError } from "@gatehouse/envelopes/status";
import { serveHttp1 } from "../http/http1-server.js";
import { sendStatus, sendText } from "../http/responder.js";
import type { Handler } from "../request/handler.js";
import type { RequestContext } from "../request/request-context.js";

export interface ServedRoutes extends AsyncDisposable {
  readonly url: string;
  /** Sends a GET request, with a user agent that gets no indented JSON. */
  get(path: string, headers?: Record<string, string>): Promise<Response>;
}

/** Puts routes behind a plain HTTP server on a free port, without authentication or any other filter. */
export async function serveRoutes(
  ...routes: readonly ((path: string) => Handler | undefined)[]
): Promise<ServedRoutes> {
  const serve = async (context: RequestContext): Promise<void> => {
    const { pathname, searchParams } = new URL(context.exchange.target, "http://host");
    context.path = pathname;
    context.query = searchParams;
    try {
      const handler = routes.map((route) => route(pathname)).find((found) => found !== undefined);
      await (handler === undefined ? sendText(context, 404, "404 page not found\n") : handler(context));
    } catch (error) {
      if (error instanceof StatusError) {
        sendStatus(context, error.status);
      } else {
        sendText(context, 500, String(error));
      }
    }
  };
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.once("close", () => sockets.delete(socket)));
    serveHttp1(socket, serve, 60_000);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    get: (path, headers = {}) =>
      fetch(url + path, { redirect: "manual", headers: { "User-Agent": "test", ...headers } }),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) {
        socket.destroy();
      }
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
