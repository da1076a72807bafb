import { unauthorized } from "@gatehouse/envelopes";
import { type MetricsRegistry, metricsContentType } from "../metrics/metrics-registry.js";
import type { CallerAuthenticator } from "./caller-authentication.js";
import type { Middleware } from "./middleware.js";
import { sendStatus } from "./send-json.js";

/** Serves `/metrics` to these callers: names and counts of what happens are not for everybody. */
export function metricsRoute(registry: MetricsRegistry, callers: CallerAuthenticator): Middleware {
  return (request, response, next) => {
    if (request.url !== "/metrics" || request.method !== "GET") {
      next();
      return;
    }
    const answer = async (): Promise<void> => {
      const verdict = await callers.authenticate(request);
      if (verdict.outcome !== "accepted") {
        sendStatus(response, unauthorized().status);
        return;
      }
      response.writeHead(200, { "Content-Type": metricsContentType }).end(await registry.render());
    };
    answer().catch(next);
  };
}
