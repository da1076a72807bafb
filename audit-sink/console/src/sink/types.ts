/** An audit event, as far as the page reads it. Its members come from outside, so each may be of any type. */
export interface AuditEvent {
  readonly auditID?: unknown;
  readonly stage?: unknown;
  readonly level?: unknown;
  readonly verb?: unknown;
  readonly requestURI?: unknown;
  readonly userAgent?: unknown;
  readonly sourceIPs?: unknown;
  readonly user?: { readonly username?: unknown; readonly groups?: unknown } | null;
  readonly impersonatedUser?: { readonly username?: unknown; readonly groups?: unknown } | null;
  readonly objectRef?: {
    readonly resource?: unknown;
    readonly subresource?: unknown;
    readonly apiGroup?: unknown;
    readonly namespace?: unknown;
    readonly name?: unknown;
  } | null;
  readonly responseStatus?: { readonly code?: unknown; readonly reason?: unknown; readonly message?: unknown } | null;
  readonly requestObject?: unknown;
  readonly responseObject?: unknown;
  readonly requestReceivedTimestamp?: unknown;
  readonly stageTimestamp?: unknown;
  readonly annotations?: Readonly<Record<string, unknown>> | null;
}

/** An event with its place in the sink. */
export interface Item {
  readonly position: number;
  readonly sender: string;
  readonly event: AuditEvent;
}

/** A page of events, newest first; `next` is the cursor of the following page. */
export interface Page {
  readonly items: readonly Item[];
  readonly next?: string;
}

/** A text, and the number of events that have it. */
export interface Ranked {
  readonly value: string;
  readonly count: number;
}

/** The answer of `/api/stats`. */
export interface Stats {
  readonly from: string;
  readonly to: string;
  readonly bucketSeconds: number;
  readonly complete: boolean;
  readonly countedFrom: string;
  readonly total: number;
  readonly bytes: number;
  readonly byVerb: Readonly<Record<string, readonly number[]>>;
  readonly byOutcome: Readonly<Record<string, readonly number[]>>;
  /** Rankings by field. */
  readonly top: Readonly<Record<string, readonly Ranked[]>>;
  readonly index: { readonly events: number; readonly bytes: number; readonly oldest?: string };
}

/** The settings that the sink's configuration has for the console. */
export interface ConsoleSettings {
  readonly clusterName: string;
  readonly accent: string;
  readonly tokenHint: string;
}
