import type { MetricsRegistry } from "@gatehouse/component-base/metrics";
import { attemptMetrics } from "../request/attempt-metrics.js";
import type { AuthorizationDecision } from "./authorizer.js";

/** Metrics of authorization. */
export interface AuthorizationMetrics {
  /** Counts a request with its decision. */
  attempt(answer: AuthorizationDecision, seconds: number): void;
}

type AttemptResult = "allowed" | "denied" | "no-opinion" | "error";

/** Registers what is measured of authorization, under v1.29's names. */
export function authorizationMetrics(registry: MetricsRegistry): AuthorizationMetrics {
  const attempts = attemptMetrics<AttemptResult>(registry, {
    count: {
      name: "authorization_attempts_total",
      help: "Requests decided about, by result: allowed, denied, no-opinion or error.",
    },
    duration: {
      name: "authorization_duration_seconds",
      help: "Time that it took to decide about a request, by result.",
    },
  });
  return { attempt: (answer, seconds) => attempts.observe(resultOf(answer), seconds) };
}

function resultOf({ decision, error }: AuthorizationDecision): AttemptResult {
  if (decision === "allow") {
    return "allowed";
  }
  return error !== undefined ? "error" : decision === "deny" ? "denied" : "no-opinion";
}
