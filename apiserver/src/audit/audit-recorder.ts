import { serviceUnavailable } from "@gatehouse/envelopes/status";
import type { AuditedUser, AuditVerdict, CompiledAuditPolicy } from "@gatehouse/policies/audit";
import type { RequestContext } from "../request/request-context.js";
import type { RequestInfo } from "../request/request-info.js";
import type { AuditBackend } from "./audit-backend.js";
import type { AuditEvent } from "./audit-event.js";
import type { AuditMetrics } from "./audit-metrics.js";
import { MicroClock } from "./micro-clock.js";

/** Dependencies of an audit recorder. */
export interface AuditRecorderParts {
  /** Returns the current policy: its file may change. */
  readonly policy: () => CompiledAuditPolicy;
  readonly backend: AuditBackend;
  readonly metrics: AuditMetrics;
  /** Reports whether a request lasts as long as the client likes, so that its beginning is recorded, too. */
  readonly isLongRunning: (context: RequestContext) => boolean;
}

/** The time in Retry-After when events cannot be recorded, in seconds: space on a disk rarely comes back sooner. */
const retryAfterSeconds = 1;

/** Records requests, and what the server's own controllers do, as the audit policy says. */
export class AuditRecorder {
  readonly clock = new MicroClock();
  readonly #parts: AuditRecorderParts;

  constructor(parts: AuditRecorderParts) {
    this.#parts = parts;
  }

  /** Evaluates the policy for a request, once for each, and counts the level. */
  decide(user: AuditedUser | undefined, request: RequestInfo): AuditVerdict {
    const verdict = this.#parts.policy().evaluate({ user, request });
    this.#parts.metrics.level(verdict.level);
    return verdict;
  }

  /** Hands an event to the backend, if there is one. Returns false if the event must be recorded, and is not. */
  record(event: AuditEvent | undefined): boolean | Promise<boolean> {
    if (event === undefined) {
      return true;
    }
    this.#parts.metrics.event();
    return this.#parts.backend.process([event]);
  }

  isLongRunning(context: RequestContext): boolean {
    return this.#parts.isLongRunning(context);
  }

  /** Throws a StatusError (503) while a request that must be recorded cannot be. */
  checkRecordable(): void {
    const refusal = this.#parts.backend.refusal?.();
    if (refusal !== undefined) {
      this.requestRejected();
      throw serviceUnavailable(`the request cannot be recorded in the audit log: ${refusal}`, retryAfterSeconds);
    }
  }

  requestRejected(): void {
    this.#parts.metrics.requestRejected();
  }
}
