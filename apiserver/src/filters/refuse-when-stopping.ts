import { sendAnswer } from "../http/answer.js";
import type { Handler, MaybePromise } from "../request/handler.js";
import type { RequestContext } from "../request/request-context.js";
import { isLongRunning } from "./enforce-deadline.js";
import type { Filter } from "./filter.js";

/** Paths that are answered until the end. */
const exemptPaths = /^\/(?:livez|readyz|healthz|metrics)/;
/** Clients of kube-apiserver are servers themselves, and end with their requests. */
const exemptAgent = "kube-apiserver/";
const message = Buffer.from("The apiserver is shutting down, please try again later.\n");

/** The requests under way of a server, for one that answers new ones with 429 when it stops. */
export class RequestsUnderWay {
  #count = 0;
  #refuses = false;
  #drained: (() => void) | undefined;

  /** Refuses new requests from now on. Resolves when those under way have ended, long-running ones apart. */
  refuseMore(): Promise<void> {
    this.#refuses = true;
    return new Promise((resolve) => {
      this.#drained = resolve;
      this.#check();
    });
  }

  /**
   * Counts requests, and answers them with 429 and the end of their connection when the server does not take more. Comes
   * before the filters that resolve the path and record for audit, as in v1.29.
   */
  readonly refuse: Filter = (context: RequestContext, next: Handler): MaybePromise<void> => {
    if (this.#refuses && !isExempt(context)) {
      context.exchange.closeAfter();
      context.setHeader("Retry-After", "5");
      context.setHeader("X-Content-Type-Options", "nosniff");
      return sendAnswer(context, 429, { "Content-Type": "text/plain; charset=utf-8" }, message);
    }
    return next(context);
  };

  /** Counts a request whose path is resolved, unless it is long-running. */
  readonly count: Filter = (context: RequestContext, next: Handler): MaybePromise<void> => {
    if (!isLongRunning(context) && !isExempt(context)) {
      this.#count++;
      context.exchange.whenClosed(() => {
        this.#count--;
        this.#check();
      });
    }
    return next(context);
  };

  #check(): void {
    if (this.#count === 0) {
      this.#drained?.();
    }
  }
}

function isExempt(context: RequestContext): boolean {
  return exemptPaths.test(context.exchange.target) || context.header("user-agent")?.startsWith(exemptAgent) === true;
}
