import type { FlagTable, FlagValues } from "@gatehouse/component-base/flags";
import { type Problem, problemAt } from "@gatehouse/component-base/problems";

const group = "Controllers";

/** The flags of the election among servers that share a store, named as kube-controller-manager names them. */
export const leaderElectionFlags = {
  "leader-elect-lease-duration": {
    type: "duration",
    default: "15s",
    min: 1000,
    group,
    help: "How long other servers on the same store wait for a renewal before one of them takes over the controllers. Whole seconds.",
  },
  "leader-elect-renew-deadline": {
    type: "duration",
    default: "10s",
    min: 1,
    group,
    help: "How long the server that runs the controllers tries to renew its lease before it stops them.",
  },
  "leader-elect-retry-period": {
    type: "duration",
    default: "2s",
    min: 1,
    group,
    help: "How long servers wait between two tries to take or renew the lease.",
  },
} as const satisfies FlagTable;

/** The times of an election in milliseconds. */
export interface ElectionTimes {
  /** The time after which others may take a lease that is not renewed. Whole seconds. */
  readonly leaseDurationMs: number;
  /** The time after which a leader that cannot renew stops; shorter than the lease. */
  readonly renewDeadlineMs: number;
  /** The time between two tries. */
  readonly retryPeriodMs: number;
}

/** The factor by which client-go wants the deadline to exceed the retry period. */
const jitterFactor = 1.2;

/** Checks the times of elections, by the rules of client-go. */
export function resolveElectionTimes(
  flags: FlagValues<typeof leaderElectionFlags>,
  problems: Problem[],
): ElectionTimes {
  const leaseDurationMs = flags["leader-elect-lease-duration"];
  const renewDeadlineMs = flags["leader-elect-renew-deadline"];
  const retryPeriodMs = flags["leader-elect-retry-period"];
  if (leaseDurationMs % 1000 !== 0) {
    problems.push(problemAt("--leader-elect-lease-duration", "must be whole seconds"));
  }
  if (leaseDurationMs <= renewDeadlineMs) {
    problems.push(problemAt("--leader-elect-lease-duration", "must be greater than --leader-elect-renew-deadline"));
  }
  if (renewDeadlineMs <= retryPeriodMs * jitterFactor) {
    problems.push(
      problemAt(
        "--leader-elect-renew-deadline",
        `must be greater than ${jitterFactor} times --leader-elect-retry-period`,
      ),
    );
  }
  return { leaseDurationMs, renewDeadlineMs, retryPeriodMs };
}
