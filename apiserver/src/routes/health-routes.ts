import { answerHealth, type HealthChecks } from "@gatehouse/component-base/health";
import { sendBytes, sendText } from "../http/responder.js";
import type { ServerLog } from "../logs/server-log.js";
import type { Routes } from "./dispatch.js";

const endpoints = new Set(["/livez", "/readyz", "/healthz"]);

/** Returns the paths that answer the checks, together and one by one. */
export function healthPaths(checks: HealthChecks): string[] {
  return Object.entries(checks).flatMap(([endpoint, list]: [string, HealthChecks["livez"]]) => [
    `/${endpoint}`,
    ...list.map(({ name }) => `/${endpoint}/${name}`),
  ]);
}

/** Returns the routes of `/livez`, `/readyz` and `/healthz`, as a whole and check by check. */
export function healthRoutes(checks: HealthChecks, log: ServerLog): Routes {
  return (path) =>
    /^\/(?:livez|readyz|healthz)(?:\/|$)/.test(path)
      ? async (context) => {
          context.healthPath = endpoints.has(path) ? path : "";
          const answer = await answerHealth(checks, path, context.query);
          if (answer === undefined) {
            return sendText(context, 404, "404 page not found\n");
          }
          for (const { name, error } of answer.failures) {
            log.healthCheckFailed(name, error);
          }
          if (answer.nosniff) {
            context.setHeader("X-Content-Type-Options", "nosniff");
          }
          sendBytes(context, answer.code, answer.contentType, Buffer.from(answer.body));
        }
      : undefined;
}
