import type { FlagTable, FlagValues } from "@gatehouse/component-base/flags";

const group = "Generic";

/** The flags of the end of the server and of its health checks meanwhile, named as kube-apiserver names them. */
export const shutdownFlags = {
  "livez-grace-period": {
    type: "duration",
    default: "0s",
    min: 0,
    group,
    help: "How long after the start /livez answers well although work of the start has not finished.",
  },
  "shutdown-delay-duration": {
    type: "duration",
    default: "0s",
    min: 0,
    group,
    help: "How long the server goes on to serve after SIGTERM, with /readyz failing at once, so that load balancers can learn of it.",
  },
  "shutdown-send-retry-after": {
    type: "bool",
    group,
    help: "Keep the port open until requests under way have ended, and answer new ones with 429 and Retry-After, each with the end of its connection.",
  },
  "shutdown-watch-termination-grace-period": {
    type: "duration",
    default: "0s",
    min: 0,
    group,
    help: "The time over which watches are ended one after the other. 0 ends them all at once.",
  },
  "shutdown-grace-period": {
    type: "duration",
    default: "10s",
    min: 0,
    group,
    help: "How long requests under way may take to end after SIGTERM and --shutdown-delay-duration.",
  },
} as const satisfies FlagTable;

/** The end of the server. Times are in milliseconds. */
export interface ShutdownConfig {
  /** The time for which requests are served as before, while `/readyz` fails. */
  readonly delayMs: number;
  /** True if the port stays open until requests under way have ended, and new ones are answered with 429. */
  readonly sendRetryAfter: boolean;
  /** The time over which watches end; 0: at once. */
  readonly watchGraceMs: number;
  /** The time that requests under way may take. */
  readonly graceMs: number;
}

/** Returns the configuration of the end of the server. */
export function resolveShutdown(flags: FlagValues<typeof shutdownFlags>): ShutdownConfig {
  return {
    delayMs: flags["shutdown-delay-duration"],
    sendRetryAfter: flags["shutdown-send-retry-after"],
    watchGraceMs: flags["shutdown-watch-termination-grace-period"],
    graceMs: flags["shutdown-grace-period"],
  };
}

/** Returns the time in milliseconds that a stop takes at most. */
export function longestStopMs({ delayMs, watchGraceMs, graceMs }: ShutdownConfig): number {
  return delayMs + watchGraceMs + graceMs;
}
