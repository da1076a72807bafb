import { errorCode, Http2Error } from "./http2-error.js";

/** Resets at once, and how many more in each second. */
const burst = 1000;
const perSecond = 33;

/**
 * Bounds the streams that a client resets, or has reset by breaking rules: work may have been done for each without an
 * answer, so that they are in no other limit (CVE-2023-44487).
 */
export class ResetBudget {
  #left = burst;
  #countedAtMs = 0;

  /** Counts a reset. Throws Http2Error when there are more than a client can have a reason for. */
  count(): void {
    const nowMs = performance.now();
    const earned = ((nowMs - this.#countedAtMs) / 1000) * perSecond;
    this.#left = Math.min(burst, this.#left + earned) - 1;
    this.#countedAtMs = nowMs;
    if (this.#left < 0) {
      throw new Http2Error(errorCode.enhanceYourCalm, "too many streams are reset");
    }
  }
}
