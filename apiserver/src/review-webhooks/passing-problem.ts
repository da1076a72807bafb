import type { ServerProblem } from "./server-problem.js";

/** Reasons of problems after which v1.29 sends a review again, whatever the code says. */
const passingReasons: ReadonlySet<string> = new Set(["InternalError", "Timeout", "TooManyRequests"]);

/** The other reasons that v1.29 knows: the code of a problem counts where its reason is none that is known. */
const lastingReasons: ReadonlySet<string> = new Set([
  ...["Unauthorized", "Forbidden", "NotFound", "AlreadyExists", "Conflict", "Gone", "Invalid", "ServerTimeout"],
  ...["BadRequest", "MethodNotAllowed", "NotAcceptable", "RequestEntityTooLarge", "UnsupportedMediaType", "Expired"],
  "ServiceUnavailable",
]);

/** Reports whether v1.29 sends a review again after a problem: the next try may not meet it. */
export function isPassing(problem: ServerProblem): boolean {
  const { code, reason, details } = problem;
  if (passingReasons.has(reason) || code === 429 || (!isKnown(reason) && (code === 500 || code === 504))) {
    return true;
  }
  // Details of a ServerTimeout ask for another try even without a delay.
  return details !== undefined && (reason === "ServerTimeout" || Number(details.retryAfterSeconds ?? 0) > 0);
}

/** Reports whether a problem says that something is forbidden. */
export function isForbidden({ code, reason }: ServerProblem): boolean {
  return reason === "Forbidden" || (code === 403 && !isKnown(reason));
}

function isKnown(reason: string): boolean {
  return passingReasons.has(reason) || lastingReasons.has(reason);
}
