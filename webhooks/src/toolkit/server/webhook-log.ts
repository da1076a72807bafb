import type { Logger } from "@gatehouse/component-base/logs";

/**
 * Writes every line that a webhook server logs of its calls. Mistakes of callers are info, faults of hooks and of the
 * server are errors. No method takes a review, an object, a patch or a token.
 */
export class WebhookLog {
  readonly #logger: Logger;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Logs a hook that has failed to decide; `uid` is that of the review. */
  failedToDecide(hook: string, uid: string | undefined, error: Error): void {
    this.#logger.error("a hook failed to decide", { hook, uid, error });
  }

  refused(hook: string, code: number, reason: string): void {
    this.#logger.info("a call was refused", { hook, code, reason });
  }

  /** Logs a caller that is not authenticated; `reason` holds no credential. */
  callerNotBelieved(hook: string, reason: string): void {
    this.#logger.info("a caller was not believed", { hook, reason });
  }
}
