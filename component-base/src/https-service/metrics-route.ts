import { StatusError } from "@gatehouse/envelopes/status";
import { answerScrape, type MetricsRegistry } from "../metrics/index.js";
import { admitCaller, type CallerAdmission } from "./admit-caller.js";
import type { Middleware } from "./middleware.js";
import { sendStatus } from "./send-json.js";

/** Serves `/metrics` to these callers: names and counts of what happens are not for everybody. */
export function metricsRoute(registry: MetricsRegistry, callers: Omit<CallerAdmission, "action">): Middleware {
  const admission: CallerAdmission = { ...callers, action: "read metrics" };
  return (request, response, next) => {
    if (request.url !== "/metrics" || request.method !== "GET") {
      next();
      return;
    }
    const answer = async (): Promise<void> => {
      await admitCaller(admission, request);
      const { accept, "accept-encoding": acceptEncoding } = request.headers;
      const { headers, body } = await answerScrape(() => registry.render(), { accept, acceptEncoding });
      response.writeHead(200, headers).end(body);
    };
    answer().catch((error: unknown) => {
      if (error instanceof StatusError) {
        sendStatus(response, error.status);
      } else {
        next(error);
      }
    });
  };
}
