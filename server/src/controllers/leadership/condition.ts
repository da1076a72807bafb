import { setMaxListeners } from "node:events";
import type { Controller } from "@gatehouse/apiserver/client";

/** A condition that holds or not, and can be awaited. */
export interface Condition {
  /** True while the condition holds. */
  readonly holds: boolean;
  /** Resolves when the condition holds, or the signal aborts. */
  untilTrue(signal: AbortSignal): Promise<void>;
  /** Resolves when the condition does not hold, or the signal aborts. */
  untilFalse(signal: AbortSignal): Promise<void>;
}

/** A condition that is set by its owner. Does not hold at first. */
export class Switch implements Condition {
  #holds = false;
  readonly #listeners = new Set<() => void>();

  get holds(): boolean {
    return this.#holds;
  }

  set(holds: boolean): void {
    if (holds !== this.#holds) {
      this.#holds = holds;
      for (const listener of [...this.#listeners]) {
        listener();
      }
    }
  }

  untilTrue(signal: AbortSignal): Promise<void> {
    return this.#until(true, signal);
  }

  untilFalse(signal: AbortSignal): Promise<void> {
    return this.#until(false, signal);
  }

  #until(wanted: boolean, signal: AbortSignal): Promise<void> {
    if (this.#holds === wanted || signal.aborted) {
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const look = (): void => {
        if (this.#holds === wanted || signal.aborted) {
          this.#listeners.delete(look);
          signal.removeEventListener("abort", look);
          resolve();
        }
      };
      this.#listeners.add(look);
      signal.addEventListener("abort", look, { once: true });
    });
  }
}

/** Returns a controller that runs while a condition holds: it stops when that ends, and starts anew afterwards. */
export function runningWhile(condition: Condition, controller: Controller): Controller {
  return {
    name: controller.name,
    async run(signal) {
      for (await condition.untilTrue(signal); condition.holds && !signal.aborted; await condition.untilTrue(signal)) {
        const turn = new AbortController();
        const either = AbortSignal.any([signal, turn.signal]);
        setMaxListeners(0, either);
        void condition.untilFalse(either).then(() => turn.abort());
        try {
          await controller.run(either);
        } finally {
          turn.abort();
        }
      }
    },
  };
}
