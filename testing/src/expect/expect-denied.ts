import { AssertionError } from "node:assert";
import { inspect } from "node:util";
import { isJsonObject } from "@gatehouse/envelopes/json";

/** The answer that is expected of a denial. */
export interface ExpectedDenial {
  /** The code; by default 403, or 400 and 422, by which admission refuses. */
  readonly code?: number;
  readonly reason?: string;
  /** A part of the message, or a pattern of it. */
  readonly message?: string | RegExp;
}

/** A refusal, as far as it is known: an answer without a Status has no reason. */
export interface Denial {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
}

const denialCodes = new Set([400, 403, 422]);
const maxShown = 2000;

/**
 * Waits for a request and fails unless the server denied it. Takes a promise, or a function that returns one, of what
 * clients give: answers of `cluster.client`, errors of @kubernetes/client-node, responses of `fetch`. Resolves to the
 * denial.
 *
 * @example
 * ```ts
 * await expectDenied(alice.client.requestJson({ path: "/api/v1/secrets", signal, timeoutMs }), { message: /cannot list/ });
 * ```
 */
export async function expectDenied(
  request: Promise<unknown> | (() => Promise<unknown>),
  expected: ExpectedDenial = {},
): Promise<Denial> {
  const outcome = await outcomeOf(request);
  const problem = denialProblem(outcome, expected);
  if (problem !== undefined) {
    throw new AssertionError({ message: problem, actual: outcome, expected, operator: "expectDenied" });
  }
  return outcome as Denial;
}

/** Returns the refusal that a request met; undefined when it succeeded. Rejects with errors that are no answers. */
export async function outcomeOf(request: Promise<unknown> | (() => Promise<unknown>)): Promise<Denial | undefined> {
  try {
    const answer = await (typeof request === "function" ? request() : request);
    return await refusalOf(answer);
  } catch (error) {
    const refusal = await refusalOf(error);
    if (refusal === undefined) {
      throw error;
    }
    return refusal;
  }
}

/** Returns what is wrong with an outcome; undefined when it is the denial that is expected. */
export function denialProblem(outcome: Denial | undefined, expected: ExpectedDenial): string | undefined {
  if (outcome === undefined) {
    return "expected the server to deny the request, but it succeeded";
  }
  const { code, reason, message } = expected;
  const isCode = code === undefined ? denialCodes.has(outcome.code) : code === outcome.code;
  const isMessage =
    typeof message === "string" ? outcome.message.includes(message) : (message?.test(outcome.message) ?? true);
  return isCode && isMessage && (reason === undefined || reason === outcome.reason)
    ? undefined
    : `expected a denial ${inspect(expected)}, but the answer was ${inspect(outcome).slice(0, maxShown)}`;
}

/** Returns the refusal in an answer or error of a client; undefined for anything else. */
async function refusalOf(answer: unknown): Promise<Denial | undefined> {
  if (typeof answer !== "object" || answer === null) {
    return undefined;
  }
  const { status, code = status } = answer as { readonly status?: unknown; readonly code?: unknown };
  if (typeof code !== "number" || code < 400) {
    return undefined;
  }
  const body = statusOf(await bodyOf(answer));
  const text = answer instanceof Error ? answer.message : "";
  return {
    code,
    reason: typeof body?.["reason"] === "string" ? body["reason"] : "",
    message: typeof body?.["message"] === "string" ? body["message"] : text,
  };
}

function bodyOf(answer: object): unknown {
  if (answer instanceof Response) {
    return answer.clone().text();
  }
  return "body" in answer ? answer.body : answer;
}

function statusOf(body: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof body === "string" || body instanceof Uint8Array) {
    try {
      return statusOf(JSON.parse(body.toString()));
    } catch {
      return undefined;
    }
  }
  return isJsonObject(body) ? body : undefined;
}
