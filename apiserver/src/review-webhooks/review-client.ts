import { HttpClientError } from "@gatehouse/component-base/errors";
import {
  createHttpClient,
  goCallError,
  type HttpClient,
  type HttpResponse,
  tell,
} from "@gatehouse/component-base/http-client";
import type { ClientConfig } from "@gatehouse/component-base/kubeconfig";
import { pause } from "@gatehouse/component-base/time";
import { StatusError } from "@gatehouse/envelopes/status";
import { ReviewAnswerError, ReviewFailedError } from "../errors/errors.js";
import { isForbidden, isPassing } from "./passing-problem.js";
import { retryAfterMs, retryAfterSeconds } from "./retry-after.js";
import { answerProblem, emptyBodyProblem, type ServerProblem } from "./server-problem.js";

/**
 * Measures a call of a webhook: the HTTP status of its answer, or `<error>` where none came, and the time in seconds until
 * then.
 */
export type MeasureReview = (code: string, seconds: number) => void;

/** The webhook that reviews are posted to, and the reader of its answers. */
export interface ReviewClientOptions<T> {
  readonly client: ClientConfig;
  /** The delay in milliseconds before the second try of a failed call. */
  readonly retryBackoffMs: number;
  /** The time limit of a call in milliseconds; 30 s by default. */
  readonly timeoutMs?: number;
  /** Reads an answer with a status of success. Rejects with ReviewAnswerError. */
  readonly read: (body: Buffer) => Promise<T>;
  /** Called after each try, which counts as one however often the server has asked for a later one by Retry-After. */
  readonly measure?: MeasureReview | undefined;
}

const defaultTimeoutMs = 30_000;
/** The limit of an answer in bytes: it is short, but the webhook may send the whole review back. */
const maxResponseBytes = 4 * 1024 * 1024;
/** The number of tries, as in v1.29; each delay is half as long again as the one before. */
const attempts = 5;
const backoffFactor = 1.5;
/** The number of repeated calls of a server that sends Retry-After. */
const maxRetryAfter = 10;

/**
 * Posts reviews to a webhook that a kubeconfig names, again and again when it seems to be a passing trouble: as v1.29 does
 * for images, tokens and access alike.
 */
export class ReviewClient<T> implements Disposable {
  readonly #client: HttpClient;
  readonly #options: ReviewClientOptions<T>;
  readonly #url: string;

  constructor(options: ReviewClientOptions<T>) {
    this.#options = options;
    const server = new URL(options.client.server);
    server.search = `?timeout=${(options.timeoutMs ?? defaultTimeoutMs) / 1000}s`;
    this.#client = createHttpClient({ config: { ...options.client, server }, userAgent: "Go-http-client/1.1" });
    this.#url = server.href;
  }

  /** Posts a review and returns its answer. Rejects with ReviewFailedError. */
  async review(body: string, signal: AbortSignal): Promise<T> {
    let backoffMs = this.#options.retryBackoffMs;
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#post(body, signal);
      const problem = answer instanceof Passing ? answer.failure : answer;
      if (!(problem instanceof ReviewFailedError)) {
        return problem;
      }
      if (!(answer instanceof Passing) || attempt === attempts || signal.aborted) {
        throw problem;
      }
      await pause(backoffMs * (1 + Math.random() * 0.2), signal);
      backoffMs *= backoffFactor;
    }
  }

  async #post(body: string, signal: AbortSignal): Promise<T | ReviewFailedError | Passing> {
    const begun = performance.now();
    const measure = (code: string): void => this.#options.measure?.(code, (performance.now() - begun) / 1000);
    for (let asked = 0; ; asked++) {
      let response: HttpResponse;
      try {
        response = await this.#send(body, signal);
      } catch (error) {
        if (!(error instanceof HttpClientError)) {
          throw error;
        }
        measure("<error>");
        const failure = new ReviewFailedError(this.#toldAs(error), { cause: error });
        return isReset(error) ? new Passing(failure) : failure;
      }
      const after = retryAfterMs(response);
      if (after === undefined || asked === maxRetryAfter || signal.aborted) {
        measure(String(response.status));
        return resultOf(response, this.#options.read);
      }
      tell("retry", () => ({ method: "POST", host: this.#options.client.server.host, status: response.status }));
      await pause(after, signal);
    }
  }

  /** Returns v1.29's text for a call without an answer. The time limit of a call is one of its client there. */
  #toldAs(error: HttpClientError): string {
    return error.failure === "timeout"
      ? `Post ${JSON.stringify(this.#url)}: net/http: request canceled (Client.Timeout exceeded while awaiting headers)`
      : goCallError("POST", this.#url, error);
  }

  #send(body: string, signal: AbortSignal): Promise<HttpResponse> {
    return this.#client.request({
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, */*" },
      body,
      signal,
      timeoutMs: this.#options.timeoutMs ?? defaultTimeoutMs,
      maxResponseBytes,
      idempotent: true,
    });
  }

  [Symbol.dispose](): void {
    this.#client[Symbol.dispose]();
  }
}

/** A failure that the next attempt may not meet. */
class Passing {
  readonly failure: ReviewFailedError;

  constructor(failure: ReviewFailedError) {
    this.failure = failure;
  }
}

async function resultOf<T>(
  response: HttpResponse,
  read: ReviewClientOptions<T>["read"],
): Promise<T | ReviewFailedError | Passing> {
  const { status, headers, body } = response;
  const contentType = String(headers["content-type"] ?? "");
  const problem = answerProblem(status, contentType, body, retryAfterSeconds(response));
  if (problem !== undefined) {
    const failure = failureOf(problem);
    return isPassing(problem) ? new Passing(failure) : failure;
  }
  if (body.length === 0) {
    return new ReviewFailedError(emptyBodyProblem(status, contentType));
  }
  try {
    return await read(body);
  } catch (error) {
    if (error instanceof ReviewAnswerError) {
      return new ReviewFailedError(error.message, { cause: error });
    }
    throw error;
  }
}

/** Returns the failure of a review. One that says itself that something is forbidden has that as its cause. */
function failureOf(problem: ServerProblem): ReviewFailedError {
  const { code, reason, message, details } = problem;
  const cause = isForbidden(problem) ? new StatusError(code || 500, reason, message, details) : undefined;
  return new ReviewFailedError(message, cause === undefined ? {} : { cause });
}

/** Reports whether a connection was reset; a closed one counts as lost for good, as in v1.29. */
function isReset({ cause }: HttpClientError): boolean {
  return cause instanceof Error && "code" in cause && cause.code === "ECONNRESET" && "syscall" in cause;
}
