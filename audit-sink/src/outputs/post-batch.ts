import type { HttpCaller, HttpResponse } from "@gatehouse/component-base/http-client";
import { EventsRejectedError } from "./output.js";

/** A request that carries a batch. */
export interface BatchPost {
  readonly client: HttpCaller;
  /** Added to the path of the server; that alone when not given. */
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly signal: AbortSignal;
}

/** The signal of a delivery ends it sooner. */
const timeoutMs = 3_600_000;
/** Status codes by which a server rejects the content of a request, as it would each time. */
const rejections: ReadonlySet<number> = new Set([400, 413, 422]);

/** Posts JSON and returns the answer if it is a success. Rejects as `Output.deliver` does. */
export async function postBatch({ client, path, headers = {}, body, signal }: BatchPost): Promise<HttpResponse> {
  const answer = await client.request({
    method: "POST",
    ...(path === undefined ? {} : { path }),
    headers: { ...headers, "content-type": "application/json" },
    body,
    signal,
    timeoutMs,
    // Whoever takes events must know them when they come again: a lost answer means to send again.
    idempotent: true,
  });
  if (answer.status >= 200 && answer.status < 300) {
    return answer;
  }
  const message = `the server answered with status ${answer.status}`;
  throw rejections.has(answer.status) ? new EventsRejectedError(message) : new Error(message);
}
