import type { Logger } from "@gatehouse/component-base/logs";

/**
 * Every line that a webhook server logs of its calls, in one place. What a caller did wrong is info, our own faults are
 * errors. Nothing here takes a review, an object, a patch or a token.
 */
export class WebhookLog {
  readonly #logger: Logger;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** `uid` is the caller's name for the round trip. */
  failedToDecide(hook: string, uid: string | undefined, error: Error): void {
    this.#logger.error("a hook failed to decide", { hook, uid, error });
  }

  refused(hook: string, code: number, reason: string): void {
    this.#logger.info("a call was refused", { hook, code, reason });
  }

  /** `reason` holds nothing of a credential. */
  callerNotBelieved(hook: string, reason: string): void {
    this.#logger.info("a caller was not believed", { hook, reason });
  }
}
