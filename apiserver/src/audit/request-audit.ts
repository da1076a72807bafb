import { asUtf8 } from "../request/as-utf8.js";
import type { RequestAuditTrail } from "../request/audit-trail.js";
import type { ExchangeObserver } from "../request/exchange.js";
import type { RequestContext } from "../request/request-context.js";
import type { UserInfo } from "../request/user-info.js";
import { attemptedCredentials } from "./attempted-credentials.js";
import type { AuditEvent, AuditSubject } from "./audit-event.js";
import { AuditNotes } from "./audit-notes.js";
import type { AuditRecorder } from "./audit-recorder.js";
import { recordedUri, recordedUserAgent } from "./request-facts.js";
import { sourceIps } from "./source-ips.js";

/**
 * Follows one request from where it has arrived until nobody takes its answer any more. What has been answered is
 * observed at the exchange, so that no way out of the server is forgotten. The last event is handed to the backend before
 * the end of the answer is sent: whoever has an answer is in the audit log, if the backend waits for that.
 */
export class RequestAudit extends AuditNotes implements RequestAuditTrail, ExchangeObserver {
  readonly #recorder: AuditRecorder;
  readonly #context: RequestContext;
  #subject: AuditSubject | undefined;
  /** True once the last event has been handed over, or none is to be. */
  #isDone = false;
  /** The record of the beginning of a long-running request's answer, once it has begun. */
  #startRecord: boolean | Promise<boolean> | undefined;
  #lastRecord: boolean | Promise<boolean> = true;

  constructor(recorder: AuditRecorder, context: RequestContext) {
    super(context.info);
    this.#recorder = recorder;
    this.#context = context;
  }

  requestReceived(): boolean | Promise<boolean> {
    const { user } = this.#context;
    if (!this.#decide(user)) {
      // Nobody has to tell anything any more.
      this.#context.audit = undefined;
      return true;
    }
    const { receivedMicros } = this.#subjectOf(user);
    this.#checkRecordable();
    const recorded = this.#recorder.record(this.event("RequestReceived", this.#subjectOf(user), receivedMicros, 0));
    return recorded instanceof Promise ? recorded.then((isRecorded) => this.#goOn(isRecorded)) : this.#goOn(recorded);
  }

  #goOn(isRecorded: boolean): boolean {
    if (!isRecorded) {
      this.#checkRecordable();
      this.#endTrail();
      this.#recorder.requestRejected();
    }
    return isRecorded;
  }

  /**
   * Throws if the request's events must be recorded and cannot be. Nothing has been done yet, so nothing more is
   * recorded.
   */
  #checkRecordable(): void {
    try {
      this.#recorder.checkRecordable();
    } catch (error) {
      this.#endTrail();
      throw error;
    }
  }

  #endTrail(): void {
    this.#isDone = true;
    this.#context.audit = undefined;
  }

  /**
   * Evaluates the policy and reports whether anything is recorded. The policy sees the authenticated user, not the
   * impersonated one.
   */
  #decide(user: UserInfo | undefined): boolean {
    const verdict = this.#recorder.decide(user, this.#context.info);
    this.decide(verdict);
    this.#isDone = verdict.level === "None";
    return !this.#isDone;
  }

  #subjectOf(user: UserInfo | undefined): AuditSubject {
    const context = this.#context;
    this.#subject ??= {
      auditID: asUtf8(context.auditID),
      requestURI: recordedUri(context.exchange.target),
      verb: context.info.verb,
      user,
      sourceIPs: sourceIps(context.exchange),
      userAgent: recordedUserAgent(context),
      receivedMicros: this.#recorder.clock.at(context.receivedAtMs),
    };
    return this.#subject;
  }

  override responseStatus(status: Parameters<RequestAuditTrail["responseStatus"]>[0]): void {
    if (!this.isDecided) {
      // Nobody has been found to be asking: the policy decides without.
      this.#decide(undefined);
    }
    super.responseStatus(status);
  }

  beginning(code: number): Promise<unknown> | undefined {
    this.begun(code);
    return this.#startRecord instanceof Promise ? this.#startRecord : undefined;
  }

  begun(code: number): void {
    if (this.#isDone) {
      return;
    }
    if (this.#subject === undefined) {
      this.#authenticationFailed(code);
    } else if (this.#startRecord === undefined && this.#recorder.isLongRunning(this.#context)) {
      this.#startRecord = this.#recorder.record(this.#now("ResponseStarted", this.#subject, code));
    }
  }

  ending(code: number): Promise<unknown> | undefined {
    this.#complete(code);
    const { deadlineMs = Number.POSITIVE_INFINITY } = this.#context;
    // Who is told that it took too long does not wait any longer.
    const mayWait = performance.now() < deadlineMs;
    return mayWait && this.#lastRecord instanceof Promise ? this.#lastRecord : undefined;
  }

  closed(code: number): void {
    if (code !== 0 || this.#subject === undefined || this.#isDone) {
      this.#complete(code);
      return;
    }
    // v1.29's words for a request that nobody waited for.
    this.responseStatus({ status: "Success", message: "Connection closed early" });
    this.#complete(200);
  }

  /** Records the only event that v1.29 has for a failed authentication. */
  #authenticationFailed(code: number): void {
    if (this.isDecided || this.#decide(undefined)) {
      if (!this.hasStatus) {
        this.unsentStatus(attemptedCredentials(this.#context));
      }
      this.#lastRecord = this.#recorder.record(this.#now("ResponseStarted", this.#subjectOf(undefined), code));
    }
    this.#isDone = true;
  }

  #complete(code: number): void {
    if (this.#isDone || this.#subject === undefined) {
      return;
    }
    this.#isDone = true;
    if (!this.#recorder.isLongRunning(this.#context)) {
      this.took(performance.now() - this.#context.receivedAtMs);
    }
    const stage = this.hasPanicked ? "Panic" : "ResponseComplete";
    this.#lastRecord = this.#recorder.record(this.#now(stage, this.#subject, code));
  }

  #now(
    stage: "Panic" | "ResponseComplete" | "ResponseStarted",
    subject: AuditSubject,
    code: number,
  ): AuditEvent | undefined {
    const { user } = this.#context;
    // Whoever acts for somebody else has been found out to be allowed to.
    const impersonated = user === subject.user ? undefined : user;
    return this.event(stage, subject, this.#recorder.clock.at(), code, impersonated);
  }
}
