import type { Webhook } from "./webhook.js";
import { WebhookFailedError } from "./webhook-failure.js";

/** Number of failures in a row that open the breaker of a webhook, and milliseconds before one call probes again. */
const failuresToOpen = 5;
const openMs = 10_000;

interface State {
  failures: number;
  /** The time before which no call is made, in milliseconds of `now`; undefined while the breaker is closed. */
  openUntil: number | undefined;
  /** True while one call probes. */
  isProbing: boolean;
}

/**
 * Keeps writes from waiting for webhooks that do not answer (`--admission-webhook-breaker`; v1.29 has nothing like it).
 * A call that is not made counts as failed: the failure policy decides about the write.
 */
export class WebhookBreaker {
  readonly #now: () => number;
  /** States by webhook as configured: a changed configuration begins anew. */
  readonly #states = new WeakMap<Webhook, State>();

  /** Takes `now`, a clock in milliseconds that does not go back. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Makes a call, or rejects with WebhookFailedError at once. */
  async guard<T>(webhook: Webhook, call: () => Promise<T>): Promise<T> {
    const state = this.#stateOf(webhook);
    const probes = this.#begin(webhook, state);
    try {
      const outcome = await call();
      state.failures = 0;
      state.openUntil = undefined;
      return outcome;
    } catch (error) {
      if (!(error instanceof WebhookFailedError)) {
        state.failures = 0;
        state.openUntil = undefined;
      } else if (!error.wasAborted) {
        state.failures++;
        if (probes || state.failures >= failuresToOpen) {
          state.openUntil = this.#now() + openMs;
        }
      }
      throw error;
    } finally {
      if (probes) {
        state.isProbing = false;
      }
    }
  }

  /** Reports whether this call is the one that probes. Throws WebhookFailedError while the breaker is open. */
  #begin(webhook: Webhook, state: State): boolean {
    if (state.openUntil === undefined) {
      return false;
    }
    if (state.isProbing || this.#now() < state.openUntil) {
      throw new WebhookFailedError(webhook.name, "it has failed too often, and is not called for a while", 503);
    }
    state.isProbing = true;
    return true;
  }

  #stateOf(webhook: Webhook): State {
    let state = this.#states.get(webhook);
    if (state === undefined) {
      state = { failures: 0, openUntil: undefined, isProbing: false };
      this.#states.set(webhook, state);
    }
    return state;
  }
}
