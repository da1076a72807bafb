import type { IncomingMessage } from "node:http";

/** An answer to a request whose end is not certain, after which the connection is closed. */
export interface FramingFault {
  readonly status: number;
  readonly text: string;
}

const unsupported: FramingFault = { status: 501, text: "Unsupported transfer encoding" };
const notOfVersion: FramingFault = { status: 400, text: "400 Bad Request" };

/**
 * Finds a transfer encoding other than `chunked` alone, which v1.29 refuses. Node takes the body for chunked when that is
 * the last of several encodings, where a proxy in front may read it by another one (RFC 9112, section 6.1). HTTP/1.0 has
 * no transfer encodings. Undefined when all is well.
 */
export function framingFault({
  headers,
  httpVersionMinor,
}: Pick<IncomingMessage, "headers" | "httpVersionMinor">): FramingFault | undefined {
  const encoding = headers["transfer-encoding"];
  if (encoding === undefined) {
    return undefined;
  }
  return httpVersionMinor === 0 ? notOfVersion : encoding.toLowerCase() === "chunked" ? undefined : unsupported;
}
