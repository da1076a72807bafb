import type { LineOutput } from "@gatehouse/component-base/files";
import { unlessAborted } from "@gatehouse/component-base/time";
import { documentLines } from "./event-document.js";
import { allDelivered, type Delivered, type Output, type OutputBatch } from "./output.js";

/** Writes events to standard output, one a line; delivered is what the system has taken. */
export function stdoutOutput(target: LineOutput): Output {
  return new StdoutOutput(target);
}

class StdoutOutput implements Output {
  readonly #target: LineOutput;
  /** A batch that the reader takes its time for. It comes again when that is too long, and is only waited for then. */
  #underWay: Promise<void> | undefined;

  constructor(target: LineOutput) {
    this.#target = target;
  }

  async deliver({ events }: OutputBatch, signal: AbortSignal): Promise<Delivered> {
    this.#underWay ??= this.#target.write(documentLines(events));
    try {
      await unlessAborted(this.#underWay, signal);
    } finally {
      if (!signal.aborted) {
        this.#underWay = undefined;
      }
    }
    return allDelivered;
  }

  async close(): Promise<void> {
    // Standard output belongs to the process.
  }
}
