import { metricsContentType } from "@gatehouse/component-base/metrics";
import { sendBytes } from "../http/responder.js";
import type { Routes } from "./dispatch.js";

/** Returns the route at `at` of metrics, which `render` gives in Prometheus text format. */
export function metricsRoute(at: string, render: () => Promise<string>): Routes {
  return (path) =>
    path === at
      ? async (context) => {
          sendBytes(context, 200, metricsContentType, Buffer.from(await render()));
        }
      : undefined;
}
