import type { Counter, MetricsRegistry } from "@gatehouse/component-base/metrics";
import { attemptMetrics } from "../request/attempt-metrics.js";
import { type ServiceAccountMetrics, serviceAccountMetrics } from "./service-account-metrics.js";
import { type TokenCacheMetrics, tokenCacheMetrics } from "./tokens/token-cache-metrics.js";

/**
 * The result of an authentication. `failure`: no credential was shown, and anonymous requests are not let in. `error`:
 * an invalid one was shown.
 */
export type AttemptResult = "success" | "failure" | "error";

/** Metrics of authentication. */
export interface AuthenticationMetrics {
  /** Counts a request; `username` is that of an authenticated user. */
  attempt(result: AttemptResult, seconds: number, username?: string): void;
  /** Records the remaining validity of a request's client certificate in seconds; negative when it has expired. */
  certificateShown(remainingSeconds: number): void;
  readonly tokenCache: TokenCacheMetrics;
  readonly serviceAccounts: ServiceAccountMetrics;
}

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
const lifetimeBuckets = [
  ...[0, 30 * minute, hour, 2 * hour, 6 * hour, 12 * hour],
  ...[day, 2 * day, 4 * day, 7 * day, 30 * day, 90 * day, 180 * day, 360 * day],
];

/** User names that v1.29 counts by name; of all others it records only whether they look like an address. */
const namedUsers = new Set(["admin", "client", "kube_proxy", "kubelet", "system:serviceaccount:kube-system:default"]);

/** Registers what is measured of authentication, under v1.29's names. */
export function authenticationMetrics(registry: MetricsRegistry): AuthenticationMetrics {
  const attempts = attemptMetrics<AttemptResult>(registry, {
    count: { name: "authentication_attempts", help: "Requests whose sender was looked for, by result." },
    duration: {
      name: "authentication_duration_seconds",
      help: "Time that it took to know who sends a request, by result.",
    },
  });
  const users = registry.counter({
    name: "authenticated_user_requests",
    help: "Requests of users who are known, by kind of name.",
    labelNames: ["username"],
  });
  const certificates = registry
    .histogram({
      name: "apiserver_client_certificate_expiration_seconds",
      help: "How long the client certificate of a request is good yet.",
      buckets: lifetimeBuckets,
    })
    .labels({});
  const userCounters = new Map<string, Counter>();
  return {
    attempt(result, seconds, username) {
      attempts.observe(result, seconds);
      if (username !== undefined) {
        const kind = kindOfName(username);
        let counter = userCounters.get(kind);
        if (counter === undefined) {
          counter = users.labels({ username: kind });
          userCounters.set(kind, counter);
        }
        counter.inc();
      }
    },
    certificateShown: (remainingSeconds) => certificates.observe(remainingSeconds),
    tokenCache: tokenCacheMetrics(registry),
    serviceAccounts: serviceAccountMetrics(registry),
  };
}

function kindOfName(username: string): string {
  return namedUsers.has(username) ? username : username.includes("@") ? "email_id" : "other";
}
