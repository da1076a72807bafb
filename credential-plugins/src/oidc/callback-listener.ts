import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { CredentialError } from "../plugin/credential-error.js";
import { type CallbackPage, callbackPage } from "./callback-page.js";

/** The listener that the browser is redirected to. */
export interface CallbackListener extends AsyncDisposable {
  readonly redirectUri: string;
  /** The first visit that belongs to this login. Rejects with CredentialError when the signal aborts. */
  callback(signal: AbortSignal): Promise<Callback>;
}

/** The browser is back, and waits to be shown something. */
export interface Callback {
  readonly url: URL;
  answer(page: CallbackPage): Promise<void>;
}

const path = "/callback";

/**
 * Listens on the loopback address for one login. Whoever else visits (other pages in the browser can) without its `state`
 * is shown out, and the waiting goes on.
 */
export async function openCallbackListener(options: {
  readonly port: number;
  readonly state: string;
}): Promise<CallbackListener> {
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 10_000, maxHeaderSize: 32 * 1024 });
  const connections = boundConnections(server);
  server.listen(options.port, "127.0.0.1");
  await once(server, "listening").catch((error: NodeJS.ErrnoException) => {
    throw new CredentialError(`cannot listen on 127.0.0.1 port ${options.port} for the browser (${error.code})`);
  });
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  let arrived: ((callback: Callback) => void) | undefined;
  const first = new Promise<Callback>((resolve) => {
    arrived = resolve;
  });
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const url =
      request.url !== undefined && URL.canParse(request.url, origin) ? new URL(request.url, origin) : undefined;
    // A page that has made its own host name point here has another Host.
    if (url?.origin !== origin || request.headers.host !== `127.0.0.1:${port}` || url.pathname !== path) {
      void show(response, callbackPage("unknown"));
    } else if (request.method !== "GET" || url.searchParams.get("state") !== options.state || arrived === undefined) {
      void show(response, callbackPage("foreign"));
    } else {
      connections.keep(request.socket);
      arrived({ url, answer: (page) => show(response, page) });
      arrived = undefined;
    }
  });
  return {
    redirectUri: `${origin}${path}`,
    callback: (signal) => Promise.race([first, rejectionOf(signal)]),
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Maximum number of connections; more than browsers open, whose requests come right behind the connections. */
const maxConnections = 64;

/**
 * Keeps a server to its bound by closing its oldest connection for a new one. To refuse the new one instead would let any
 * process of this machine keep the browser out, by connections over which nothing is asked.
 */
function boundConnections(server: Server): { keep(socket: Socket): void } {
  const open = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
    const [oldest] = open;
    if (open.size > maxConnections) {
      oldest?.destroy();
    }
  });
  return { keep: (socket) => void open.delete(socket) };
}

function rejectionOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const giveUp = (): void => reject(new CredentialError("nobody has logged in in time"));
    signal.addEventListener("abort", giveUp, { once: true });
    if (signal.aborted) {
      giveUp();
    }
  });
}

/** Resolves when the page has been sent, or cannot be. */
async function show(response: ServerResponse, { status, html }: CallbackPage): Promise<void> {
  response.writeHead(status, {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": "default-src 'none'",
    "cache-control": "no-store",
    // The address has the code in it.
    "referrer-policy": "no-referrer",
    connection: "close",
  });
  const closed = once(response, "close");
  response.end(html);
  await closed;
}
