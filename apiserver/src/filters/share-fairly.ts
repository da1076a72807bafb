import { endWith } from "@gatehouse/envelopes/scheduling";
import { estimateWork, type FlowControl, FlowRequest, kindOfVerb, type LevelFlow } from "../flow-control/index.js";
import type { Handler, MaybePromise } from "../request/handler.js";
import type { RequestContext } from "../request/request-context.js";
import { isLongRunning } from "./enforce-deadline.js";
import type { Filter } from "./filter.js";
import type { RequestTerminations } from "./request-terminations.js";
import { sayTooManyRequests } from "./say-too-many-requests.js";

/** The longest that a request waits in a queue, in milliseconds, whatever its deadline. */
const maxWaitMs = 60_000;
/** The part of the time until its deadline that a request may wait. */
const waitFraction = 0.25;

/**
 * Shares seats among requests by priority and fairness. A request for which there is room is handled at once, without a
 * timer or a promise; one that comes too late waits for its turn, in a queue for seats, or is answered 429. Watches take
 * seats until they have begun; other long-running requests take none.
 */
export function shareFairly(control: FlowControl, terminations: Pick<RequestTerminations, "turnedAway">): Filter {
  const parts = { control, terminations };
  const { levels, turns } = control;
  return (context, next) => {
    const isWatch = context.info.verb === "watch";
    if (!isWatch && isLongRunning(context)) {
      return next(context);
    }
    const flow = levels.classify(context.user, context.info);
    const nowMs = performance.now();
    if (flow.level.config.isExempt || turns.mayRun(flow, nowMs)) {
      return new FairExecution(parts, context, flow).begin(next, nowMs);
    }
    const { exchange } = context;
    exchange.whenClosed(() => turns.pace(flow, () => exchange.stopReading()));
    return new Promise((resolve, reject) => {
      let forget = (): void => {};
      const leave = turns.wait(flow, () => {
        forget();
        try {
          resolve(new FairExecution(parts, context, flow).begin(next, performance.now()));
        } catch (error) {
          reject(error);
        }
      });
      forget = context.whenAborted((reason) => {
        leave();
        reject(reason);
      });
    });
  };
}

/** The parts of a server that share seats. */
interface FairParts {
  readonly control: FlowControl;
  readonly terminations: Pick<RequestTerminations, "turnedAway">;
}

/** A request that takes seats. */
class FairExecution {
  readonly #parts: FairParts;
  readonly #context: RequestContext;
  readonly #flow: LevelFlow;
  readonly #isWatch: boolean;
  #request: FlowRequest | undefined;

  constructor(parts: FairParts, context: RequestContext, flow: LevelFlow) {
    this.#parts = parts;
    this.#context = context;
    this.#flow = flow;
    this.#isWatch = context.info.verb === "watch";
  }

  begin(next: Handler, nowMs: number): MaybePromise<void> {
    const { level, statistics } = this.#flow;
    const work = estimateWork(this.#context, level.maxSeatsOfRequest, this.#parts.control.sources);
    if (work.watchers !== undefined) {
      statistics.watchersFound(work.watchers);
    }
    const request = new FlowRequest(this.#flow, this.#context, work, nowMs);
    this.#request = request;
    statistics.estimated(request.maxSeats);
    this.#context.addFields(this.#flow.answerFields);
    const admission = level.queues.start(request, nowMs);
    if (admission === "execute") {
      return this.#execute(request, next, nowMs);
    }
    if (admission === "wait") {
      return this.#waitForSeats(request, nowMs).then((hasSeats) =>
        hasSeats ? this.#execute(request, next, performance.now()) : this.#refuse(),
      );
    }
    if (!level.config.isExempt) {
      statistics.refusedAfter(0);
    }
    return this.#refuse();
  }

  #execute(request: FlowRequest, next: Handler, nowMs: number): MaybePromise<void> {
    const { info, query } = this.#context;
    this.#count("executing", 1, nowMs);
    if (!this.#flow.level.config.isExempt) {
      this.#flow.statistics.waited((nowMs - request.arrivedAtMs) / 1000);
    }
    let forgetWatch: (() => void) | undefined;
    if (this.#isWatch) {
      forgetWatch = this.#parts.control.watches.add(info, query);
      this.#context.onWatchBegun = () => this.#finish();
    }
    return endWith(
      () => next(this.#context),
      () => {
        this.#finish();
        forgetWatch?.();
      },
    );
  }

  /** Gives the seats back; once, however often it is called. */
  #finish(): void {
    const request = this.#request;
    if (request === undefined) {
      return;
    }
    this.#request = undefined;
    const { level, statistics } = this.#flow;
    const nowMs = performance.now();
    this.#count("executing", -1, nowMs);
    statistics.executed((nowMs - request.startedAtMs) / 1000, this.#isWatch);
    level.queues.finish(request, nowMs);
    if (level.isQuiescing) {
      this.#parts.control.levels.removeIfDone(level);
    }
  }

  /** Resolves to true when the request has got its seats, to false when it has waited too long or the client is gone. */
  #waitForSeats(request: FlowRequest, nowMs: number): Promise<boolean> {
    const context = this.#context;
    const { queues } = this.#flow.level;
    this.#count("waiting", 1, nowMs);
    return new Promise((resolve) => {
      let forget = (): void => {};
      const settle = (hasSeats: boolean): void => {
        clearTimeout(timer);
        forget();
        const thenMs = performance.now();
        this.#count("waiting", -1, thenMs);
        context.queueMs += thenMs - nowMs;
        if (!hasSeats) {
          this.#flow.statistics.waited((thenMs - request.arrivedAtMs) / 1000);
        }
        resolve(hasSeats);
      };
      const leave = (): void => {
        if (queues.cancel(request, performance.now())) {
          settle(false);
        }
      };
      const timer = setTimeout(leave, this.#waitUntilMs() - nowMs);
      request.proceed = () => settle(true);
      forget = context.whenAborted(leave);
    });
  }

  /** Returns the time until which the request may wait, on the monotonic clock. */
  #waitUntilMs(): number {
    const { receivedAtMs, deadlineMs } = this.#context;
    const limitMs =
      deadlineMs === undefined ? this.#parts.control.maxWaitMs : (deadlineMs - receivedAtMs) * waitFraction;
    return receivedAtMs + Math.min(limitMs, maxWaitMs);
  }

  #refuse(): void {
    const { retryAfter } = this.#flow.level;
    retryAfter.rejected(Math.floor(Date.now() / 1000));
    this.#parts.terminations.turnedAway(this.#context);
    sayTooManyRequests(this.#context, retryAfter.seconds);
  }

  #count(phase: "executing" | "waiting", by: 1 | -1, nowMs: number): void {
    this.#parts.control.counts.change(phase, kindOfVerb(this.#context.info.verb), by, nowMs);
  }
}
