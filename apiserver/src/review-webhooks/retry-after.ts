import type { HttpResponse } from "@gatehouse/component-base/http-client";

/** Returns the delay that an overloaded server asks for by Retry-After, in milliseconds; undefined for none. */
export function retryAfterMs({ status, headers }: HttpResponse): number | undefined {
  const after = headers["retry-after"];
  const mayRetry = status === 429 || (status >= 500 && status <= 599);
  return mayRetry && typeof after === "string" && /^\d{1,6}$/.test(after) ? Number(after) * 1000 : undefined;
}
