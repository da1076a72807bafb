import { watch } from "node:fs";
import { resolve } from "node:path";
import { pause } from "@gatehouse/component-base";

/** Several files change at once, when an editor or a compiler writes. */
const settleMs = 200;

/** Changes of files in some folders, from now until the signal aborts. */
export class Changes {
  readonly #signal: AbortSignal;
  #changed = false;
  #wake = (): void => {};

  constructor(folders: readonly string[], signal: AbortSignal) {
    this.#signal = signal;
    for (const folder of folders) {
      watch(resolve(folder), { recursive: true, signal }, () => {
        this.#changed = true;
        this.#wake();
      }).on("error", () => {});
    }
    signal.addEventListener("abort", () => this.#wake(), { once: true });
  }

  /** Calls back after each burst of changes, one call at a time. */
  async follow(onChange: () => Promise<void>): Promise<void> {
    while (!this.#signal.aborted) {
      if (!this.#changed) {
        await new Promise<void>((done) => {
          this.#wake = done;
        });
      }
      await pause(settleMs, this.#signal);
      this.#changed = false;
      if (!this.#signal.aborted) {
        await onChange();
      }
    }
  }
}
