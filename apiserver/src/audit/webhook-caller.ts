import { HttpClientError } from "@gatehouse/component-base/errors";
import type { HttpCaller } from "@gatehouse/component-base/http-client";

/** The time limit of each call in milliseconds, its answer included, as in v1.29. */
const callTimeoutMs = 30_000;

/** A failed call: the receiver of events refused, or did not answer. */
export class WebhookCallError extends Error {
  override readonly name = "WebhookCallError";
  /** The status code of the answer; undefined for none. */
  readonly status: number | undefined;

  constructor(message: string, { status, cause }: { readonly status?: number; readonly cause?: unknown } = {}) {
    super(message, { cause });
    this.status = status;
  }
}

/** Posts EventLists (audit/v1) to a receiver of audit events. */
export class WebhookCaller {
  readonly #client: HttpCaller;
  readonly #signal: AbortSignal;

  /** Calls end with the signal. */
  constructor(client: HttpCaller, signal: AbortSignal) {
    this.#client = client;
    this.#signal = signal;
  }

  /** Sends events, each given as a JSON object. Rejects with WebhookCallError unless the receiver has taken them. */
  async post(items: readonly string[], headers: Readonly<Record<string, string>> = {}): Promise<void> {
    const body = `{"kind":"EventList","apiVersion":"audit.k8s.io/v1","metadata":{},"items":[${items.join(",")}]}\n`;
    let status: number;
    try {
      const answer = await this.#client.request({
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json, */*", ...headers },
        body,
        signal: this.#signal,
        timeoutMs: callTimeoutMs,
      });
      status = answer.status;
    } catch (error) {
      throw new WebhookCallError(textOf(error), { cause: error });
    }
    if (status < 200 || status > 206) {
      throw new WebhookCallError(`the receiver answered with HTTP ${status}`, { status });
    }
  }
}

function textOf(error: unknown): string {
  return error instanceof HttpClientError ? `${error.failure}: ${error.message}` : String(error);
}
