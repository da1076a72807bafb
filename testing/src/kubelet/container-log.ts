import type { LogEntry, LogGenerator, LogQuery } from "./pod-script.js";

interface Line {
  readonly text: string;
  readonly time: Date;
}

/** The log of a container: lines that were written so far, and readers that follow it. */
export class ContainerLog {
  readonly #lines: Line[] = [];
  readonly #generate: LogGenerator | undefined;
  #ended = false;
  /** Settled with each change, and made anew when somebody waits for the next. */
  #change: { readonly happened: Promise<void>; readonly happen: () => void } | undefined;

  constructor(logs: readonly LogEntry[] | LogGenerator = []) {
    if (typeof logs === "function") {
      this.#generate = logs;
    } else {
      this.append(...logs);
    }
  }

  append(...entries: readonly LogEntry[]): void {
    for (const entry of entries) {
      const { text, time = new Date() } = typeof entry === "string" ? { text: entry } : entry;
      this.#lines.push({ text, time });
    }
    this.#notify();
  }

  /** Ends the log: those who follow it come to its end. */
  end(): void {
    this.#ended = true;
    this.#notify();
  }

  /** Yields the text that answers a query, cut after `limitBytes`. Ends when the signal aborts. */
  async *read(query: LogQuery, signal: AbortSignal): AsyncGenerator<Buffer> {
    const pieces = this.#generate === undefined ? this.#text(query, signal) : this.#generate(query);
    let remaining = query.limitBytes ?? Number.POSITIVE_INFINITY;
    for await (const piece of pieces) {
      const bytes = Buffer.from(piece as Uint8Array).subarray(0, remaining);
      remaining -= bytes.length;
      yield bytes;
      if (remaining === 0 || signal.aborted) {
        return;
      }
    }
  }

  /** Yields the lines that are written from now on, for clients that attach to the container. */
  follow(signal: AbortSignal): AsyncGenerator<Buffer> {
    const query = { previous: false, timestamps: false, since: undefined, limitBytes: undefined };
    return this.read({ ...query, follow: true, tailLines: 0 }, signal);
  }

  async *#text(query: LogQuery, signal: AbortSignal): AsyncGenerator<Buffer> {
    const { follow, since, tailLines, timestamps } = query;
    let next = tailLines === undefined ? 0 : Math.max(0, this.#lines.length - tailLines);
    for (;;) {
      for (; next < this.#lines.length; next++) {
        const { text, time } = this.#lines[next] as Line;
        if (since === undefined || time >= since) {
          yield Buffer.from(`${timestamps ? `${nanoseconds(time)} ` : ""}${text}\n`);
        }
      }
      if (!follow || this.#ended || signal.aborted) {
        return;
      }
      await this.#changed(signal);
    }
  }

  async #changed(signal: AbortSignal): Promise<void> {
    this.#change ??= makeChange();
    const { happened } = this.#change;
    // Waking up the other readers as well does no harm, as long as they wait for a new change then.
    const wake = (): void => this.#notify();
    signal.addEventListener("abort", wake, { once: true });
    await happened;
    signal.removeEventListener("abort", wake);
  }

  #notify(): void {
    this.#change?.happen();
    this.#change = undefined;
  }
}

function makeChange(): { readonly happened: Promise<void>; readonly happen: () => void } {
  let happen = (): void => {};
  const happened = new Promise<void>((resolve) => {
    happen = resolve;
  });
  return { happened, happen };
}

/** Writes a time as logs have it, with nine digits of a second. */
function nanoseconds(time: Date): string {
  return time.toISOString().replace("Z", "000000Z");
}
