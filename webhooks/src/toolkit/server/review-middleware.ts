import type { IncomingMessage, ServerResponse } from "node:http";
import { ConcurrencyLimit, type ConcurrencyLimitOptions } from "@gatehouse/component-base/concurrency";
import {
  admitCaller,
  type CallerAdmission,
  type CallerAuthenticator,
  clientCertificates,
  type Middleware,
  readBody,
  sendJson,
  sendStatus,
} from "@gatehouse/component-base/https-service";
import { type Logger, silentLogger } from "@gatehouse/component-base/logs";
import { createMetricsRegistry, type MetricsRegistry } from "@gatehouse/component-base/metrics";
import { maxValues, parseExactIntegersSteps, refuseTooManyValues } from "@gatehouse/envelopes/codec";
import { DecodeError } from "@gatehouse/envelopes/errors";
import { isJsonObject, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";
import { type Steps, startSteps, yieldToEventLoop } from "@gatehouse/envelopes/scheduling";
import {
  badRequest,
  internalError,
  methodNotAllowed,
  requestEntityTooLarge,
  StatusError,
  tooManyRequests,
  unsupportedMediaType,
} from "@gatehouse/envelopes/status";
import { OpenReviewCall } from "./review-call.js";
import type { ReviewAnswer, ReviewEndpoint } from "./review-endpoint.js";
import { WebhookLog } from "./webhook-log.js";
import { type HookMetrics, WebhookMetrics } from "./webhook-metrics.js";

/**
 * Largest body of a review in bytes, by default. An API server takes bodies of at most 3 MiB, and a review of an update
 * holds two objects, the new and the old one. The last MiB is for the envelope, the user with its groups, and the
 * options. JSON may be longer than the protobuf or YAML that it was made of: such a review is refused with 413, which
 * is a failure to decide, not a denial.
 */
export const defaultMaxBodyBytes: number = (3 + 3 + 1) * 1024 * 1024;

/** Limits on the reviews that are accepted at a time, and on their size. */
export interface ReviewLimits extends Partial<ConcurrencyLimitOptions> {
  /** Largest body in bytes; reviews with a longer one are refused with 413. Default `defaultMaxBodyBytes`, 7 MiB. */
  readonly maxBodyBytes?: number;
}

/** Options of `reviewMiddleware()`. */
export interface ReviewMiddlewareOptions {
  readonly endpoints: readonly ReviewEndpoint[];
  /** Authenticator of callers. Default: client certificates that the TLS server has verified. */
  readonly callers?: CallerAuthenticator;
  readonly limits?: ReviewLimits;
  /** Logger of the events. Default: nothing is logged. */
  readonly logger?: Logger;
  /** Registry of the metrics, which serves one middleware only. Default: the metrics are not shown. */
  readonly metrics?: MetricsRegistry;
}

/** Largest number of reviews at a time; their bodies hold 64 times 7 MiB at most. */
const defaultMaxConcurrent = 64;
/** Largest number of waiting reviews; others are answered 429 with Retry-After at once. */
const defaultMaxWaiting = 512;

const retryAfterSeconds = 1;
const jsonType = /^application\/json(?:\s*;|$)/i;

interface Route {
  readonly endpoint: ReviewEndpoint;
  readonly admission: CallerAdmission;
  readonly metrics: HookMetrics;
}

/**
 * Returns middleware that serves endpoints in an Express app, or in any server with Node's request and response. A
 * review passes, in this order: method, caller, media type, the limit of reviews at a time, the body, the endpoint.
 * Throws TypeError when two endpoints share a path.
 */
export function reviewMiddleware(options: ReviewMiddlewareOptions): Middleware {
  const { limits = {} } = options;
  const { maxBodyBytes = defaultMaxBodyBytes } = limits;
  const limit = new ConcurrencyLimit({
    maxConcurrent: limits.maxConcurrent ?? defaultMaxConcurrent,
    maxWaiting: limits.maxWaiting ?? defaultMaxWaiting,
  });
  const log = new WebhookLog(options.logger ?? silentLogger);
  const routes = routesOf(options, limit, log);

  async function answer(route: Route, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = new OpenReviewCall(request, response);
    const { name } = route.endpoint;
    let review: JsonObject | undefined;
    try {
      await admitCaller(route.admission, request);
      validateMediaType(request);
      await takePlace(limit, call);
      let answered: ReviewAnswer;
      try {
        review = await readReview(request, maxBodyBytes, call);
        answered = await route.endpoint.answer(review, call);
      } finally {
        limit.leave();
      }
      sendJson(response, 200, answered.body);
      route.metrics.answered(answered.outcome, call.elapsedSeconds);
    } catch (error) {
      const status = statusOf(name, error);
      const failed = status.code >= 500;
      if (failed) {
        log.failedToDecide(name, uidOf(review), error instanceof Error ? error : new Error(String(error)));
      } else {
        log.refused(name, status.code, status.reason);
      }
      sendStatus(response, status.status);
      route.metrics.answered(failed ? "failed" : "refused", call.elapsedSeconds);
    } finally {
      call.end();
    }
  }

  return (request, response, next) => {
    const route = routes.get(pathOf(request.url ?? ""));
    if (route === undefined) {
      next();
      return;
    }
    if (request.method !== "POST") {
      response.setHeader("Allow", "POST");
      sendStatus(response, methodNotAllowed().status);
      return;
    }
    // Errors that arrive here are failures to send; no answer can report them.
    answer(route, request, response).catch(() => response.destroy());
  };
}

function routesOf(
  options: ReviewMiddlewareOptions,
  limit: ConcurrencyLimit,
  log: WebhookLog,
): ReadonlyMap<string, Route> {
  const { callers = clientCertificates() } = options;
  const registry = options.metrics ?? createMetricsRegistry({ processMetrics: false });
  const metrics = new WebhookMetrics(registry, limit);
  const routes = new Map<string, Route>();
  for (const endpoint of options.endpoints) {
    if (!endpoint.path.startsWith("/") || /[?#\s]/.test(endpoint.path)) {
      throw new TypeError(`${endpoint.name}: ${JSON.stringify(endpoint.path)} is no path`);
    }
    if (routes.has(endpoint.path)) {
      throw new TypeError(`two endpoints have the path ${endpoint.path}`);
    }
    const { name } = endpoint;
    const admission: CallerAdmission = {
      admitted: callers,
      action: "ask for reviews",
      onRejected: (reason) => log.callerNotBelieved(name, reason),
    };
    routes.set(endpoint.path, { endpoint, admission, metrics: metrics.ofHook(name) });
  }
  return routes;
}

function validateMediaType(request: IncomingMessage): void {
  if (!jsonType.test(request.headers["content-type"] ?? "")) {
    throw unsupportedMediaType(["application/json"]);
  }
}

async function takePlace(limit: ConcurrencyLimit, call: OpenReviewCall): Promise<void> {
  if (!limit.tryEnter() && !(await limit.enter(call.signal))) {
    throw tooManyRequests("too many reviews are under way, please try again later", retryAfterSeconds);
  }
}

async function readReview(request: IncomingMessage, maxBodyBytes: number, call: OpenReviewCall): Promise<JsonObject> {
  // An app may have parsed the body for all its routes.
  const { body } = request as { readonly body?: unknown };
  const isParsed = request.readableEnded && isJsonObject(body);
  const parsed = isParsed ? body : await parse(await readBody(request, maxBodyBytes), call);
  if (!isJsonObject(parsed)) {
    throw badRequest("the body of the request is not a JSON object");
  }
  return parsed;
}

/**
 * Largest number of values in a review: those of the new and the old object, each with as many as an API server of this
 * project takes, and the envelope. More would take memory and time from other reviews.
 */
const maxReviewValues = 2 * maxValues + 10_000;

/** Parses a review, a large one in steps. Rejects when the caller has gone. */
async function parse(body: Buffer, call: OpenReviewCall): Promise<JsonValue> {
  const text = body.toString("utf8");
  try {
    refuseTooManyValues(text, maxReviewValues);
  } catch (error) {
    throw requestEntityTooLarge(error instanceof DecodeError ? error.message : String(error));
  }
  const { signal } = call;
  return startSteps({ signal, yield: () => yieldToEventLoop(signal) }, reviewSteps(text));
}

function* reviewSteps(text: string): Steps<JsonValue> {
  try {
    return yield* parseExactIntegersSteps(text);
  } catch (error) {
    throw badRequest("the body of the request is not JSON", error);
  }
}

/**
 * Returns the error to answer with. The message of an error that a hook throws is not in it: it may quote the object.
 */
function statusOf(hook: string, error: unknown): StatusError {
  if (error instanceof StatusError) {
    return error;
  }
  // Objects may be 10,000 levels deep, but recursive functions may run out of stack before.
  if (error instanceof RangeError && error.message === "Maximum call stack size exceeded") {
    return badRequest("exceeded max depth", error);
  }
  return internalError(`hook ${JSON.stringify(hook)} failed to decide; its log has the details`, error);
}

/** Returns the uid of a review, shortened for the log; undefined when it has none. */
function uidOf(review: JsonObject | undefined): string | undefined {
  const request = review?.["request"];
  const uid = isJsonObject(request) ? request["uid"] : undefined;
  return typeof uid === "string" ? uid.slice(0, 64) : undefined;
}

function pathOf(url: string): string {
  const query = url.indexOf("?");
  return query < 0 ? url : url.slice(0, query);
}
