/** Characters of log that are kept unless another bound is given. */
const defaultMaxCharacters = 8 * 1024 * 1024;

/** The log of a control plane, over all its restarts. The oldest lines are dropped when it grows beyond its bound. */
export interface ControlPlaneLogs {
  /** Returns the lines that are kept, the oldest first, without line breaks. */
  lines(): readonly string[];
  /** Returns the lines that are kept as one text. */
  text(): string;
  /** Number of lines that were dropped. */
  readonly dropped: number;
  /**
   * Reads the lines that are kept and then each new one, until the control plane is stopped or the signal aborts. A
   * reader that falls so far behind that lines are dropped goes on with the oldest that is kept.
   */
  follow(signal?: AbortSignal): AsyncIterable<string>;
}

/** Collects the output of a server as lines, up to a number of characters. */
export class LogLines implements ControlPlaneLogs {
  readonly #maxCharacters: number;
  #lines: string[] = [];
  #dropped = 0;
  #characters = 0;
  #rest = "";
  #closed = false;
  #wake: (() => void)[] = [];

  constructor(maxCharacters = defaultMaxCharacters) {
    this.#maxCharacters = maxCharacters;
  }

  /** Takes output as it comes: a part of a line, or several lines. */
  write(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = (lines.pop() ?? "").slice(0, this.#maxCharacters);
    for (const line of lines) {
      this.#lines.push(line);
      this.#characters += line.length + 1;
    }
    this.#dropOldest();
    if (lines.length > 0) {
      this.#wakeReaders();
    }
  }

  /** Ends all readers; what is kept can still be read. */
  close(): void {
    if (this.#rest !== "") {
      this.write("\n");
    }
    this.#closed = true;
    this.#wakeReaders();
  }

  get dropped(): number {
    return this.#dropped;
  }

  lines(): readonly string[] {
    return [...this.#lines];
  }

  text(): string {
    return [...this.#lines, this.#rest].join("\n");
  }

  async *follow(signal?: AbortSignal): AsyncGenerator<string> {
    const wake = (): void => this.#wakeReaders();
    signal?.addEventListener("abort", wake);
    try {
      let next = 0;
      while (signal?.aborted !== true) {
        next = Math.max(next, this.#dropped);
        const line = this.#lines[next - this.#dropped];
        if (line !== undefined) {
          next++;
          yield line;
        } else if (this.#closed) {
          return;
        } else {
          await new Promise<void>((resolve) => this.#wake.push(resolve));
        }
      }
    } finally {
      signal?.removeEventListener("abort", wake);
    }
  }

  /** Drops at least a tenth of the bound at a time: to move the lines of an array costs as much as it is long. */
  #dropOldest(): void {
    if (this.#characters <= this.#maxCharacters) {
      return;
    }
    let count = 0;
    while (count < this.#lines.length && this.#characters > this.#maxCharacters * 0.9) {
      this.#characters -= (this.#lines[count]?.length ?? 0) + 1;
      count++;
    }
    this.#lines = this.#lines.slice(count);
    this.#dropped += count;
  }

  #wakeReaders(): void {
    const waiting = this.#wake;
    this.#wake = [];
    for (const wake of waiting) {
      wake();
    }
  }
}
