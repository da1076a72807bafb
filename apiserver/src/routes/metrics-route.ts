import { type MetricsRegistry, metricsContentType } from "@gatehouse/component-base/metrics";
import { sendBytes } from "../http/responder.js";
import type { Routes } from "./dispatch.js";

/** Returns the route at `at` of a registry's metrics, in Prometheus text format. */
export function metricsRoute(at: string, registry: MetricsRegistry): Routes {
  return (path) =>
    path === at
      ? async (context) => {
          sendBytes(context, 200, metricsContentType, Buffer.from(await registry.render()));
        }
      : undefined;
}
