import type { Writable } from "node:stream";

/** Responses that stay open, and are written to as fast as the slowest of them takes it. */
export class OpenResponses {
  readonly #open = new Set<Writable>();
  #writing = false;

  add(response: Writable): void {
    this.#open.add(response);
    response.once("close", () => this.#open.delete(response));
  }

  async startWriting(frame: Buffer): Promise<void> {
    this.#writing = true;
    while (this.#writing) {
      const full: Promise<void>[] = [];
      for (const response of this.#open) {
        if (!response.write(frame)) {
          full.push(drained(response));
        }
      }
      await (full.length > 0 ? Promise.all(full) : new Promise((resolve) => setImmediate(resolve)));
    }
  }

  stopWriting(): void {
    this.#writing = false;
  }
}

function drained(response: Writable): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off("drain", done);
      response.off("close", done);
      resolve();
    };
    response.on("drain", done);
    response.on("close", done);
  });
}

/** Writes a body in pieces, at the client's pace, and ends the response. */
export function writeChunks(response: Writable, body: Buffer, chunkBytes: number, from = 0): void {
  for (let at = from; at < body.length; at += chunkBytes) {
    if (!response.write(body.subarray(at, at + chunkBytes))) {
      response.once("drain", () => writeChunks(response, body, chunkBytes, at + chunkBytes));
      return;
    }
  }
  response.end();
}
