import { type MetricsRegistry, metricsContentType } from "@gatehouse/component-base";
import { sendBytes } from "../http/responder.js";
import type { Routes } from "./dispatch.js";

/** `/metrics` in Prometheus text format. */
export function metricsRoute(registry: MetricsRegistry): Routes {
  return (path) =>
    path === "/metrics"
      ? async (context) => {
          sendBytes(context, 200, metricsContentType, Buffer.from(await registry.render()));
        }
      : undefined;
}
