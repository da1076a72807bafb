import type { IncomingMessage, ServerResponse } from "node:http";
import { parseMilliseconds } from "@gatehouse/envelopes/go";
import type { ReviewCall } from "./review-endpoint.js";

/** Largest number of milliseconds that API servers wait. */
const longestTimeoutMs = 30_000;

/** A call and its time. Its signal is made when it is first read, since few hooks wait for anything. */
export class OpenReviewCall implements ReviewCall {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #startedAt = performance.now();
  #controller: AbortController | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.#request = request;
    this.#response = response;
  }

  get elapsedSeconds(): number {
    return (performance.now() - this.#startedAt) / 1000;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      const controller = new AbortController();
      this.#controller = controller;
      const leftMs = grantedMs(this.#request.url ?? "") - (performance.now() - this.#startedAt);
      this.#timer = setTimeout(() => controller.abort(new Error("the caller's time is up")), Math.max(leftMs, 0));
      this.#response.once("close", this.#onClose);
      if (this.#response.destroyed) {
        this.#onClose();
      }
    }
    return this.#controller.signal;
  }

  /** Ends the call: its signal no longer aborts. */
  end(): void {
    if (this.#controller !== undefined) {
      clearTimeout(this.#timer);
      this.#response.off("close", this.#onClose);
    }
  }

  readonly #onClose = (): void => {
    this.#controller?.abort(new Error("the caller has gone"));
  };
}

/** Returns the milliseconds that the caller waits (`?timeout=10s`, which API servers send with each call). */
function grantedMs(url: string): number {
  const query = url.indexOf("?");
  const text = query < 0 ? null : new URLSearchParams(url.slice(query)).get("timeout");
  const parsed = text === null ? undefined : parseMilliseconds(text);
  return parsed === undefined || !(parsed > 0) ? longestTimeoutMs : Math.min(parsed, longestTimeoutMs);
}
