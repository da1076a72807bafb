import type { Client, Metadata } from "@grpc/grpc-js";
import type { Grpc } from "./load-grpc.js";
import type { MessageInput } from "./message-codec.js";
import type { Method } from "./method.js";

/** Limits and extras of a call. */
export interface CallOptions {
  /** Time in milliseconds until the call fails with DEADLINE_EXCEEDED. */
  readonly deadlineMs: number;
  readonly signal?: AbortSignal;
  readonly metadata?: Metadata;
}

/**
 * Calls a method with one request and one answer. Rejects with grpc-js's ServiceError, whose `code` is the status; with
 * the signal's reason when it aborts.
 */
export function callUnary<Request, Response>(
  { Metadata }: Grpc,
  client: Client,
  method: Method<Request, Response>,
  request: MessageInput<Request>,
  { deadlineMs, signal, metadata }: CallOptions,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(signal.reason);
      return;
    }
    const call = client.makeUnaryRequest<MessageInput<Request>, Response>(
      method.path,
      method.requestSerialize,
      method.responseDeserialize,
      request,
      metadata ?? new Metadata(),
      { deadline: Date.now() + deadlineMs },
      (error, response) => {
        signal?.removeEventListener("abort", onAbort);
        if (error === null) {
          resolve(response as Response);
        } else {
          reject(signal?.aborted === true ? signal.reason : error);
        }
      },
    );
    const onAbort = (): void => call.cancel();
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}
