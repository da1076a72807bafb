import type { Webhook } from "./webhook.js";
import { WebhookFailure } from "./webhook-failure.js";

/** So many failures in a row open the breaker of a webhook, and so long it stays open before one call probes again. */
const failuresToOpen = 5;
const openMs = 10_000;

interface State {
  failures: number;
  /** Until then nobody calls; undefined while the breaker is closed. */
  openUntil: number | undefined;
  /** One call is under way to find out. */
  isProbing: boolean;
}

/**
 * Keeps writes from waiting for webhooks that do not answer (`--admission-webhook-breaker`; v1.29 has nothing like it). A
 * call that is not made has failed: what becomes of the write is for its failure policy to say.
 */
export class WebhookBreaker {
  readonly #now: () => number;
  /** By the state of a configuration: whoever changes it begins anew. */
  readonly #states = new WeakMap<Webhook, State>();

  /** `now` is in milliseconds on a clock that does not go back. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Makes a call, or rejects with WebhookFailure at once. */
  async guard<T>(webhook: Webhook, call: () => Promise<T>): Promise<T> {
    const state = this.#stateOf(webhook);
    const probes = this.#begin(webhook, state);
    try {
      const outcome = await call();
      state.failures = 0;
      state.openUntil = undefined;
      return outcome;
    } catch (error) {
      if (!(error instanceof WebhookFailure)) {
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

  /** Whether this call is the one that probes. */
  #begin(webhook: Webhook, state: State): boolean {
    if (state.openUntil === undefined) {
      return false;
    }
    if (state.isProbing || this.#now() < state.openUntil) {
      throw new WebhookFailure(webhook.name, "it has failed too often, and is not called for a while", 503);
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
