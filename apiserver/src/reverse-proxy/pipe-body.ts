import type { Readable, Writable } from "node:stream";

/**
 * Sends the body of a request on, at the pace of the backend. `beforeEnd` runs when all of it has been handed over. A body
 * that breaks off destroys the sink; a sink that is destroyed first leaves the rest of the body to be dropped.
 */
export function pipeBody(body: Readable, sink: Writable, beforeEnd: () => void): void {
  body.once("end", () => {
    if (sink.destroyed) {
      return;
    }
    try {
      beforeEnd();
      sink.end();
    } catch (error) {
      sink.destroy(error as Error);
    }
  });
  body.on("error", () => sink.destroy());
  body.once("close", () => {
    if (!body.readableEnded) {
      sink.destroy();
    }
  });
  sink.once("close", () => {
    body.unpipe(sink);
    body.resume();
  });
  body.pipe(sink, { end: false });
}
