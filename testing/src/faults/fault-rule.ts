/** The requests that a rule is about: those that match every member. Absent members match everything. */
export interface RequestMatch {
  /** `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`; the lower-case method for other paths. */
  readonly verb?: string | readonly string[];
  /** The API group; `""` for the core group. */
  readonly group?: string;
  /** The resource, plural: `deployments`. */
  readonly resource?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string | RegExp;
  readonly user?: string | RegExp;
}

/** A failure as clients get it. */
export interface FaultError {
  readonly code: number;
  readonly reason?: string;
  readonly message?: string;
  /** Sent as `Retry-After` as well. */
  readonly retryAfterSeconds?: number;
}

/** A count of the requests or calls that a rule leaves alone and that it hits. */
interface Counted {
  /** Matches that are left alone before the first that is hit; 0 by default. */
  readonly after?: number;
  /** Matches that are hit; all by default. */
  readonly times?: number;
  /** Milliseconds to wait before everything else. */
  readonly latencyMs?: number;
}

/** A fault of requests. */
export interface RequestRule extends RequestMatch, Counted {
  /** The answer in place of the server's. `conflict` is that of a write that has lost a race. */
  readonly error?: FaultError | "conflict";
  /** `before` cuts the connection before the server does anything; `after` does so in place of the answer, when all is written. */
  readonly cut?: "before" | "after";
  /** `drop` cuts a watch in place of its next event; `stale` keeps it open and silent until the fault is removed, then cuts it. */
  readonly watch?: "drop" | "stale";
}

/** A fault of the calls of admission webhooks. */
export interface WebhookRule extends Counted {
  /** The name of the webhook in its configuration; `*` for all. */
  readonly webhook: string;
  /** The reason why there was no connection. Absent for a call that is only slow. */
  readonly unreachable?: string;
}

/** A fault of requests, or of the calls of webhooks. */
export type FaultRule = RequestRule | WebhookRule;

/** A fault that has been added. Disposal removes it. */
export interface Fault extends Disposable {
  /** The number of requests or calls that it has hit. */
  readonly hits: number;
}

/** Throws TypeError for a rule without an effect, or with members that mean nothing. */
export function checkRule(rule: FaultRule): void {
  const known = "webhook" in rule ? webhookMembers : requestMembers;
  const unknown = Object.keys(rule).find((member) => !known.has(member));
  if (unknown !== undefined) {
    throw new TypeError(`faults: a rule has no member ${JSON.stringify(unknown)}; known: ${[...known].join(", ")}`);
  }
  if (!effects.some((effect) => effect in rule)) {
    throw new TypeError(`faults: a rule must have an effect: ${effects.join(", ")}`);
  }
}

const effects = ["latencyMs", "error", "cut", "watch", "unreachable"];
const counted = ["after", "times", "latencyMs"];
const webhookMembers: ReadonlySet<string> = new Set(["webhook", "unreachable", ...counted]);
const requestMembers: ReadonlySet<string> = new Set([
  ...["verb", "group", "resource", "subresource", "namespace", "name", "user"],
  ...["error", "cut", "watch", ...counted],
]);
