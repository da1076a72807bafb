import type { AwaitedLayer } from "../request/audit-trail.js";
import type { RequestContext } from "../request/request-context.js";

/**
 * Runs a part of the work on an answer, at once or later, and reports its duration to the audit log, which tells it for
 * slow requests.
 */
export function measureLayer<T>({ audit }: Pick<RequestContext, "audit">, layer: AwaitedLayer, work: () => T): T {
  if (audit === undefined) {
    return work();
  }
  const startedAt = performance.now();
  const done = (): void => audit.waitedFor(layer, performance.now() - startedAt);
  const result = work();
  if (result instanceof Promise) {
    // Whoever waits for the result learns of a failure; here it only ends the measuring.
    result.then(done, done);
  } else {
    done();
  }
  return result;
}

/**
 * A stopwatch for an answer in pieces: the time to make and send it, and the part of that in which the client takes it.
 */
export class StreamLatency {
  readonly #audit: RequestContext["audit"];
  readonly #startedAt = performance.now();
  #writingMs = 0;
  #isTold = false;

  constructor({ audit }: Pick<RequestContext, "audit">) {
    this.#audit = audit;
  }

  async writing(taken: Promise<void>): Promise<void> {
    const startedAt = performance.now();
    await taken;
    this.#writingMs += performance.now() - startedAt;
  }

  /** Reports the times to the audit log. Must be called before the end of the answer, when the audit event is made. */
  tell(): void {
    if (this.#audit !== undefined && !this.#isTold) {
      this.#isTold = true;
      // As in v1.29, writing is part of it: the two take turns.
      this.#audit.waitedFor("serialize-response-object", performance.now() - this.#startedAt);
      this.#audit.waitedFor("response-write", this.#writingMs);
    }
  }
}
