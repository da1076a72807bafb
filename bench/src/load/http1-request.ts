import { headersOf, type LoadRequest } from "./load-request.js";
import { type NumberedBytes, numberedBytes } from "./numbered-bytes.js";

/** A request as HTTP/1.1 writes it. */
export function http1Request(request: LoadRequest): NumberedBytes {
  const headers = headersOf(request).map(([name, value]) => `${name}: ${value}`);
  const head = [`${request.method} ${request.path} HTTP/1.1`, "host: 127.0.0.1", ...headers];
  return numberedBytes(`${head.join("\r\n")}\r\n\r\n${request.body ?? ""}`);
}
