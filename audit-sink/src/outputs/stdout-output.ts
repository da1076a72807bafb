import type { Writable } from "node:stream";
import { documentLines } from "./event-document.js";
import { allDelivered, type Output } from "./output.js";

/** Writes events to a stream, one a line; delivered is what the stream has taken. */
export function stdoutOutput(stream: Writable): Output {
  return {
    deliver({ events }) {
      return new Promise((resolve, reject) => {
        stream.write(documentLines(events), (error) => (error ? reject(error) : resolve(allDelivered)));
      });
    },
    async close() {
      // Standard output belongs to the process.
    },
  };
}
