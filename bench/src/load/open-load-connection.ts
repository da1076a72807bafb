import { Http1Connection } from "./http1-connection.js";
import { Http2Connection } from "./http2/http2-connection.js";
import type { LoadConnection, LoadConnectionOptions } from "./load-connection.js";

export type Protocol = "HTTP/1.1" | "HTTP/2";

/** Begins to connect. */
export function openLoadConnection(protocol: Protocol, options: LoadConnectionOptions): LoadConnection {
  return protocol === "HTTP/2" ? new Http2Connection(options) : new Http1Connection(options);
}
