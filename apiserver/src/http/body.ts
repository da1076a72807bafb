import { inNextRound } from "@gatehouse/component-base/time";
import { requestEntityTooLarge } from "@gatehouse/envelopes/status";
import type { RequestContext } from "../request/request-context.js";

/** v1.29's limit for resource requests: 3 MiB, twice what etcd takes by default. */
export const maxBodyBytes = 3 * 1024 * 1024;

const empty = Buffer.alloc(0);

/**
 * Reads the whole body, at most `maxBodyBytes`. Throws 413 as soon as it is known to be longer; what comes after that is
 * read and dropped, since a client that is cut off while it writes may never read its answer. A body that is whole is
 * handed over in the next round: bodies that have come together are worked on together.
 */
export function readBody(context: RequestContext): Promise<Buffer> {
  const declared = Number(context.header("content-length") ?? Number.NaN);
  if (declared > maxBodyBytes) {
    return Promise.reject(tooLarge());
  }
  const { body } = context.exchange;
  // Node tells of the end of an empty body at once, before the request has got its turn.
  if (body.readableEnded) {
    return Promise.resolve(empty);
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const stop = (): void => {
      body.off("data", onData);
      body.off("end", onEnd);
      body.off("error", onError);
      forget();
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > maxBodyBytes) {
        stop();
        body.resume();
        reject(tooLarge());
        return;
      }
      chunks.push(chunk);
    };
    const onEnd = (): void => {
      stop();
      context.workBytes = size;
      context.bodyBytes = size;
      const whole =
        chunks.length === 0 ? empty : chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size);
      inNextRound(() => resolve(whole));
    };
    const onError = (error: Error): void => {
      stop();
      reject(error);
    };
    // Replaced below; the request may have been aborted before.
    let forget = (): void => {};
    body.on("data", onData);
    body.on("end", onEnd);
    body.on("error", onError);
    forget = context.whenAborted(onError);
  });
}

function tooLarge(): Error {
  return requestEntityTooLarge(`limit is ${maxBodyBytes}`);
}
