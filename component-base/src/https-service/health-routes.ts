import { answerHealth, type HealthChecks } from "../health/answer-health.js";
import type { Logger } from "../logs/logger.js";
import type { Middleware } from "./middleware.js";

/** Serves `/livez`, `/readyz` and `/healthz`, whole and check by check, to anybody: kubelets carry no credential. */
export function healthRoutes(checks: HealthChecks, logger: Logger): Middleware {
  return (request, response, next) => {
    const url = new URL(request.url ?? "/", "https://host");
    if (!/^\/(?:livez|readyz|healthz)(?:\/|$)/.test(url.pathname)) {
      next();
      return;
    }
    answerHealth(checks, url.pathname, url.searchParams).then((answer) => {
      if (answer === undefined) {
        next();
        return;
      }
      for (const { name, error } of answer.failures) {
        logger.warn("a health check failed", {
          check: name,
          error: error instanceof Error ? error : new Error(String(error)),
        });
      }
      if (answer.nosniff) {
        response.setHeader("X-Content-Type-Options", "nosniff");
      }
      response.writeHead(answer.code, { "Content-Type": answer.contentType }).end(answer.body);
    }, next);
  };
}
