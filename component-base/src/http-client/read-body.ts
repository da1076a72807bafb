import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { HttpClientError } from "./http-client-error.js";

/** An answer that broke off before its end. */
export class TruncatedBodyError extends Error {
  override readonly name = "TruncatedBodyError";

  constructor(options?: ErrorOptions) {
    super("the response ended before its end", options);
  }
}

/**
 * The whole body of an answer, unpacked when `unzip` is set and it is packed. Rejects with HttpClientError `too-large`
 * beyond so many bytes, packed or not, and with TruncatedBodyError when the connection is lost on the way. `onBody` gets
 * the pieces in place of the answer, which then is empty and has no limit.
 */
export async function readBody(
  incoming: IncomingMessage,
  maxBytes: number,
  unzip: boolean,
  onBody?: (piece: Buffer) => void,
): Promise<Buffer> {
  const tooLarge = () => new HttpClientError("too-large", `the response body is larger than ${maxBytes} bytes`);
  const declared = Number(incoming.headers["content-length"] ?? 0);
  if (declared > maxBytes && incoming.statusCode !== 304) {
    throw tooLarge();
  }
  if (!unzip || incoming.headers["content-encoding"]?.toLowerCase() !== "gzip") {
    return await collect(incoming, incoming, maxBytes, tooLarge, onBody);
  }
  const gunzip = createGunzip();
  incoming.on("error", (error) => gunzip.destroy(error));
  incoming.pipe(gunzip);
  try {
    return await collect(gunzip, incoming, maxBytes, tooLarge, onBody);
  } finally {
    gunzip.destroy();
  }
}

function collect(
  stream: Readable,
  incoming: IncomingMessage,
  maxBytes: number,
  tooLarge: () => Error,
  onBody: ((piece: Buffer) => void) | undefined,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    stream.on("data", (chunk: Buffer) => {
      if (onBody !== undefined) {
        try {
          onBody(chunk);
        } catch (error) {
          reject(error);
          incoming.destroy();
        }
        return;
      }
      bytes += chunk.length;
      if (bytes > maxBytes) {
        reject(tooLarge());
        incoming.destroy();
        return;
      }
      chunks.push(chunk);
    });
    let ended = false;
    stream.once("end", () => {
      ended = true;
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, bytes));
    });
    stream.once("error", (error) => reject(new TruncatedBodyError({ cause: error })));
    stream.once("close", () => {
      // An error costs as much as a small call: no answer that is complete has to pay for one.
      if (!ended) {
        reject(new TruncatedBodyError());
      }
    });
  });
}
