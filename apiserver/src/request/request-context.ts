import { ClientGoneError } from "../errors/errors.js";
import { scheduler } from "../scheduling/scheduler.js";
import { agentName } from "./agent-name.js";
import { asUtf8 } from "./as-utf8.js";
import type { RequestAuditTrail } from "./audit-trail.js";
import type { Exchange } from "./exchange.js";
import { type HeaderFields, setField } from "./header-fields.js";
import { type RequestInfo, unresolvedRequest } from "./request-info.js";
import type { RequestTrace } from "./request-trace.js";
import type { UserInfo } from "./user-info.js";

const noFields: HeaderFields = [];

/**
 * The state that travels down the filter list with one request. The filters fill it in from top to bottom; a filter needs
 * only what a filter above it has put there. One AbortSignal goes from the socket to the store and to every outbound
 * call; it is made only when first used, because most reads never wait.
 */
export class RequestContext {
  readonly exchange: Exchange;
  /** Decoded path and parsed query. */
  path = "";
  query: URLSearchParams = emptyQuery;
  auditID = "";
  info: RequestInfo = unresolvedRequest;
  user!: UserInfo;
  /** The audit trail of this request; undefined where nothing is recorded. */
  audit: RequestAuditTrail | undefined;
  /** True if verb, resource and subresource are served, so that metrics may name them. Set where they are looked up. */
  isKnownResource = false;
  /** The path, when it is that of a health endpoint; metrics show it. */
  healthPath = "";
  /** Returns the time of the server in milliseconds since 1970: that of the machine, unless a test has given another. */
  now: () => number = Date.now;
  /** Milliseconds on a monotonic clock. */
  readonly receivedAtMs: number = performance.now();
  /** The time when the request is answered with an error at the latest, on the same clock; absent for no deadline. */
  deadlineMs: number | undefined;
  /** True if the answer may be compressed for a client that accepts it. */
  mayCompress = true;
  /** The length in bytes of the body that was read; undefined where none was. */
  bodyBytes: number | undefined;
  /** The time when the last filter that is measured was done, in milliseconds on the same clock as `receivedAtMs`. */
  filteredAtMs = 0;
  /** The span of the trace that the request is in; undefined for one that is not traced. */
  trace: RequestTrace | undefined;
  /** True if the server broke the answer off. */
  isBrokenOff = false;
  /** The length in bytes of the largest body or object that the request works on. */
  workBytes = 0;
  /** Items for the Warning header, sent with the response. */
  warnings: Set<string> | undefined;
  /** Called by a watch when it has begun: its initial events are sent, and it costs little from then on. */
  onWatchBegun: (() => void) | undefined;
  #fields: HeaderFields = noFields;
  #mutatingWebhookMs = 0;
  #validatingWebhookMs = 0;
  #controller: AbortController | undefined;
  #abortListeners: Set<AbortListener> | undefined;
  #abortReason: Error | undefined;

  constructor(exchange: Exchange) {
    this.exchange = exchange;
  }

  get method(): string {
    return this.exchange.method;
  }

  /** Returns a header of the request by its lower-case name. */
  header(name: string): string | undefined {
    const value = this.exchange.headers[name];
    return typeof value === "string" ? value : value?.[0];
  }

  /** The milliseconds that the request has waited for seats. */
  queueMs = 0;

  /** The milliseconds that webhooks have taken: those of mutating ones in turn, the longest of validating ones. */
  get webhookMs(): number {
    return this.#mutatingWebhookMs + this.#validatingWebhookMs;
  }

  waitedForWebhook(isMutating: boolean, ms: number): void {
    if (isMutating) {
      this.#mutatingWebhookMs += ms;
    } else {
      this.#validatingWebhookMs = Math.max(this.#validatingWebhookMs, ms);
    }
  }

  /** The client program, as the User-Agent header begins. */
  get agent(): string {
    return agentName(asUtf8(this.header("user-agent") ?? ""));
  }

  /** Headers of the answer besides the common ones. */
  get fields(): HeaderFields {
    return this.#fields;
  }

  /** Sets a header of the answer, whatever that will be. */
  setHeader(name: string, value: string): void {
    const fields = [...this.#fields];
    setField(fields, name, value);
    this.#fields = fields;
  }

  /** Adds headers of the answer that are not set yet. They may be those of many requests. */
  addFields(fields: HeaderFields): void {
    this.#fields = this.#fields.length === 0 ? fields : [...this.#fields, ...fields];
  }

  /** Drops what was to be sent with the answer: headers other than these, and warnings. */
  resetAnswer(fields: HeaderFields): void {
    this.#fields = fields;
    this.warnings = undefined;
  }

  /** Tells the client something that is not an error. */
  warn(message: string): void {
    this.warnings ??= new Set();
    if (this.warnings.size < maxWarnings) {
      this.warnings.add(message);
    }
  }

  /** Tells the audit log something, under a key that names who says it (`authorization.k8s.io/decision`). */
  annotate(key: string, value: string): void {
    this.audit?.annotate(key, value);
  }

  get tellBlame(): ((text: string) => void) | undefined {
    return this.header("gatehouse-blame") === undefined ? undefined : (text) => this.setHeader("Gatehouse-Blame", text);
  }

  /** True once the answer is complete or the client has gone away. */
  get isClosed(): boolean {
    return this.exchange.isClosed;
  }

  /** Ends an answer in the middle, so that no client takes what it has for the whole. */
  breakOff(): void {
    this.isBrokenOff = true;
    this.exchange.breakOff();
  }

  /** The signal that aborts when the client goes away without its answer, or the deadline passes. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      const controller = new AbortController();
      this.#controller = controller;
      this.whenAborted((reason) => controller.abort(reason));
    }
    return this.#controller.signal;
  }

  /**
   * Calls `listener` once, when `signal` would abort; at once if it has. The function returned takes that back. For what
   * every write does: a signal with its events costs as much as decoding a small object.
   */
  whenAborted(listener: AbortListener): () => void {
    const reason = this.#abortReason ?? (this.isClosed ? new ClientGoneError() : undefined);
    if (reason !== undefined) {
      listener(reason);
      return () => {};
    }
    if (this.#abortListeners === undefined) {
      this.#abortListeners = new Set();
      this.exchange.whenClosed(() => {
        // Who has ended the answer does not wait for anything any more.
        if (!this.exchange.isComplete) {
          this.abort(new ClientGoneError());
        }
      });
    }
    const listeners = this.#abortListeners;
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  yieldIfLarge(foundBytes = 0): Promise<void> | undefined {
    if (foundBytes > this.workBytes) {
      this.workBytes = foundBytes;
    }
    return this.workBytes > largeBytes ? this.yield() : undefined;
  }

  /**
   * Lets other work run if it is time for that. Called between steps of work that may take long. Undefined: the next step
   * may follow at once. Otherwise it follows when the promise is fulfilled; it rejects when nobody waits for the answer any
   * more.
   */
  yield(): Promise<void> | undefined {
    const turn = scheduler.yield(this.exchange.connection, this.receivedAtMs);
    if (turn === undefined && !this.isClosed && this.#abortReason === undefined) {
      return undefined;
    }
    return new Promise((resolve, reject) => {
      const forget = this.whenAborted(reject);
      void turn?.then(() => {
        forget();
        resolve();
      });
    });
  }

  abort(reason: Error): void {
    if (this.#abortReason !== undefined) {
      return;
    }
    this.#abortReason = reason;
    for (const listener of this.#abortListeners ?? []) {
      listener(reason);
    }
  }
}

type AbortListener = (reason: Error) => void;

/**
 * The size in bytes below which each step of work takes a few milliseconds at most, even with a value every three
 * bytes.
 */
const largeBytes = 32 * 1024;

/**
 * The limit of stored warnings: more than fit into the Warning header of 4,096 characters, while a webhook may send
 * 100,000.
 */
const maxWarnings = 4097;

const emptyQuery = new URLSearchParams();
