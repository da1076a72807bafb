import { Http1Connection } from "./http1-connection.js";
import { Http2Connection } from "./http2/http2-connection.js";
import type { LoadConnection, LoadConnectionOptions } from "./load-connection.js";

/** The protocol of a load. A call of gRPC is a request of HTTP/2 whose answer ends with a status in trailers. */
export type Protocol = "HTTP/1.1" | "HTTP/2" | "gRPC";

/** Begins to connect. */
export function openLoadConnection(protocol: Protocol, options: LoadConnectionOptions): LoadConnection {
  return protocol === "HTTP/1.1" ? new Http1Connection(options) : new Http2Connection(options);
}
