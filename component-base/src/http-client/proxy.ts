import { request } from "node:http";
import type { Socket } from "node:net";
import type { DialAddress } from "./dial.js";

/** A proxy that does not let a connection through. `statusText` is its own. */
export class ProxyError extends Error {
  override readonly name = "ProxyError";
  readonly status: number;
  readonly statusText: string;

  constructor(status: number, statusText: string) {
    super(`the proxy answered ${status} ${statusText}`);
    this.status = status;
    this.statusText = statusText;
  }
}

/** The port that a URL means, stated or not. */
export function portOf(url: URL): number {
  return url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
}

/** The host of a URL as sockets take it: IPv6 addresses without brackets. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "");
}

/** The header by which a proxy knows who asks, if its URL has a user. */
export function proxyAuthorization(proxy: URL): Readonly<Record<string, string>> {
  if (proxy.username === "") {
    return {};
  }
  const pair = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(pair).toString("base64")}` };
}

/** Asks a proxy, to which `socket` leads, for a tunnel to the target; the socket then leads there. */
export function openTunnel(socket: Socket, proxy: URL, target: DialAddress): Promise<Socket> {
  const authority = `${target.host.includes(":") ? `[${target.host}]` : target.host}:${target.port}`;
  return new Promise((resolve, reject) => {
    const asked = request({
      createConnection: () => socket,
      method: "CONNECT",
      path: authority,
      headers: { host: authority, ...proxyAuthorization(proxy) },
      timeout: 30_000,
    });
    const fail = (error: Error): void => {
      socket.destroy();
      reject(error);
    };
    asked.once("error", fail);
    asked.once("timeout", () => fail(new ProxyError(504, "Gateway Timeout")));
    asked.once("response", (response) => fail(new ProxyError(response.statusCode ?? 0, response.statusMessage ?? "")));
    asked.once("connect", (response, tunnel: Socket, head) => {
      if (response.statusCode !== 200) {
        fail(new ProxyError(response.statusCode ?? 0, response.statusMessage ?? ""));
        return;
      }
      tunnel.setTimeout(0);
      if (head.length > 0) {
        tunnel.unshift(head);
      }
      resolve(tunnel);
    });
    asked.end();
  });
}
