import type { Readable } from "node:stream";
import type { TerminalSize } from "./pod-script.js";

/** The text of one message may have this many characters. */
const maxMessageLength = 1024;

/** Reads the sizes of a terminal from a resize stream: JSON objects one after the other. Only the newest one is kept. */
export class TerminalSizes implements AsyncIterable<TerminalSize> {
  #newest: TerminalSize | undefined;
  #ended = false;
  #wake: (() => void) | undefined;

  /** Reads `stream` to its end; there are no sizes if it is missing. */
  constructor(stream: Readable | undefined) {
    let text = "";
    stream?.on("data", (data: Buffer) => {
      const messages = (text + data).split("}");
      text = (messages.pop() as string).slice(0, maxMessageLength);
      for (const message of messages) {
        this.#newest = sizeOf(`${message}}`) ?? this.#newest;
      }
      this.#wake?.();
    });
    stream?.once("close", () => this.end());
    stream?.once("end", () => this.end());
    if (stream === undefined) {
      this.end();
    }
  }

  /** Ends the sequence. */
  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<TerminalSize> {
    for (;;) {
      if (this.#newest !== undefined) {
        const size = this.#newest;
        this.#newest = undefined;
        yield size;
      } else if (this.#ended) {
        return;
      } else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }
}

function sizeOf(message: string): TerminalSize | undefined {
  try {
    const { Width: width, Height: height } = JSON.parse(message);
    return Number.isInteger(width) && Number.isInteger(height) ? { width, height } : undefined;
  } catch {
    // A kubelet passes over what is no size.
    return undefined;
  }
}
