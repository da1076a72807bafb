import type { IncomingMessage } from "node:http";
import { badRequest, requestEntityTooLarge } from "@gatehouse/envelopes/status";
import { inNextRound } from "../time/next-round.js";

/**
 * Reads the body whole. Throws 413 as soon as it is known to be longer than allowed; what comes after that is read and
 * dropped, since a client that is cut off while it writes may never read its answer. A body that is whole is handed over
 * in the next round: bodies that have come together are worked on together.
 */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const declared = Number(request.headers["content-length"] ?? Number.NaN);
  if (declared > maxBytes) {
    request.resume();
    return Promise.reject(tooLarge(maxBytes));
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const stop = (): void => {
      request.off("data", onData);
      request.off("end", onEnd);
      request.off("error", onError);
      request.off("close", onClose);
    };
    const onData = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes > maxBytes) {
        stop();
        request.resume();
        reject(tooLarge(maxBytes));
        return;
      }
      chunks.push(chunk);
    };
    const onEnd = (): void => {
      stop();
      inNextRound(() => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, bytes)));
    };
    const onError = (error: Error): void => {
      stop();
      reject(badRequest("the body of the request did not arrive whole", error));
    };
    const onClose = (): void => onError(new Error("the connection closed"));
    request.on("data", onData);
    request.on("end", onEnd);
    request.on("error", onError);
    request.on("close", onClose);
  });
}

function tooLarge(maxBytes: number): Error {
  return requestEntityTooLarge(`limit is ${maxBytes}`);
}
