import type { HttpResponse } from "@gatehouse/component-base/http-client";

/** Returns the seconds that Retry-After states, which may be below 0; undefined where it is absent or no number. */
export function retryAfterSeconds({ headers }: Pick<HttpResponse, "headers">): number | undefined {
  const after = headers["retry-after"];
  return typeof after === "string" && /^[+-]?\d{1,6}$/.test(after) ? Number(after) : undefined;
}

/** Returns the delay that an overloaded server asks for by Retry-After, in milliseconds; undefined for none. */
export function retryAfterMs(response: Pick<HttpResponse, "status" | "headers">): number | undefined {
  const { status } = response;
  const mayRetry = status === 429 || (status >= 500 && status <= 599);
  const seconds = mayRetry ? retryAfterSeconds(response) : undefined;
  return seconds === undefined ? undefined : Math.max(0, seconds) * 1000;
}
