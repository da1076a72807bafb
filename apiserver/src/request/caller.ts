import type { StepContext } from "@gatehouse/envelopes/scheduling";
import type { AuditTrail } from "./audit-trail.js";
import type { RequestInfo } from "./request-info.js";
import type { UserInfo } from "./user-info.js";

/**
 * The originator of a verb, with its deadline: a request, or one of the server's own controllers. Steps that may take long
 * whatever the object run in it as their context.
 */
export interface Caller extends StepContext {
  readonly user: UserInfo;
  /** The user agent without its version; empty for none. It is the field manager unless another is named. */
  readonly agent: string;
  readonly info: Pick<RequestInfo, "namespace" | "name" | "subresource">;
  /** The time when `signal` aborts by itself, in milliseconds of `performance.now()`; absent if it does not. */
  readonly deadlineMs?: number | undefined;
  /** The audit trail of the caller; undefined where nothing is recorded. */
  readonly audit?: AuditTrail | undefined;
  /** Takes note of the milliseconds that a webhook has taken; absent where nobody measures. */
  waitedForWebhook?(isMutating: boolean, ms: number): void;
  /** Tells the client something that is not an error. */
  warn(message: string): void;
  /** Tells the client who changed what in admission; absent unless the client asked for it. */
  readonly tellBlame?: ((text: string) => void) | undefined;
  /**
   * Yields, as `yield` does, if the request is about something large: of a small object no step takes long. Called between
   * the steps of work on an object. `foundBytes` is the length of an object that the request did not bring itself: a small
   * patch may be one of a large object.
   */
  yieldIfLarge(foundBytes?: number): Promise<void> | undefined;
}
