/** An audit event, as far as the page looks at it. What it says comes from strangers: nothing of it is taken for granted. */
export interface AuditEvent {
  readonly auditID?: unknown;
  readonly stage?: unknown;
  readonly level?: unknown;
  readonly verb?: unknown;
  readonly requestURI?: unknown;
  readonly userAgent?: unknown;
  readonly sourceIPs?: unknown;
  readonly user?: { readonly username?: unknown; readonly groups?: unknown } | null;
  readonly impersonatedUser?: { readonly username?: unknown } | null;
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

/** An event with what the sink knows of it. */
export interface Item {
  readonly position: number;
  readonly sender: string;
  readonly event: AuditEvent;
}

/** A text, and how many events have it. */
export interface Ranked {
  readonly value: string;
  readonly count: number;
}

/** What `/api/stats` answers. */
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
  /** By field, its most frequent texts. */
  readonly top: Readonly<Record<string, readonly Ranked[]>>;
  readonly index: { readonly events: number; readonly bytes: number; readonly oldest?: string };
}
