import type { Http2Stream } from "../http2/index.js";

/**
 * Resolves when the connection has taken all that was written on a stream, or the stream is closed: then in a later round
 * of the event loop, so that a loop that has not heard of the end cannot keep it from being told.
 */
export function drained(stream: Http2Stream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.isClosed) {
      setImmediate(resolve);
    } else {
      stream.whenDrained(resolve);
    }
  });
}
