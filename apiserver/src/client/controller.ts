import { setMaxListeners } from "node:events";
import { pause } from "@gatehouse/component-base/time";
import { backoffMs } from "./backoff.js";

/** A control loop: observes objects and brings the world closer to what they say. */
export interface Controller {
  readonly name: string;
  /**
   * Runs until `signal` aborts, and resolves when all its work has ended. A rejection is a failure of the whole
   * controller: the runner reports it and starts the controller again after a while.
   */
  run(signal: AbortSignal): Promise<void>;
}

/** The options of a running controller. */
export interface RunOptions {
  readonly signal: AbortSignal;
  readonly onError: (controller: string, error: unknown) => void;
  /** Returns a number from 0 up to 1. Default `Math.random`. */
  readonly random?: () => number;
}

/** Bounds in milliseconds of the wait before a failed controller starts again. */
const restart = { firstMs: 200, maxMs: 30_000 };

/** Keeps a controller running until the signal aborts. Never rejects. */
export async function runController(controller: Controller, options: RunOptions): Promise<void> {
  const { signal, onError, random = Math.random } = options;
  for (let failures = 0; !signal.aborted; failures++) {
    // A failed run must not leave anything behind that works beside the next one.
    const attempt = new AbortController();
    const either = AbortSignal.any([signal, attempt.signal]);
    // A controller may follow any number of resources.
    setMaxListeners(0, either);
    try {
      await controller.run(either);
      return;
    } catch (error) {
      attempt.abort();
      if (!signal.aborted) {
        onError(controller.name, error);
        await pause(backoffMs(failures, restart, random), signal);
      }
    }
  }
}
