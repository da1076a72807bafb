import { answerScrape } from "@gatehouse/component-base/metrics";
import { sendAnswer } from "../http/answer.js";
import type { Routes } from "./dispatch.js";

/** Returns the route at `at` of metrics, which `render` gives in Prometheus text format and clients get as they ask for them. */
export function metricsRoute(at: string, render: () => Promise<string>): Routes {
  return (path) =>
    path === at
      ? async (context) => {
          const preferences = { accept: context.header("accept"), acceptEncoding: context.header("accept-encoding") };
          const { headers, body } = await answerScrape(render, preferences);
          sendAnswer(context, 200, headers, body);
        }
      : undefined;
}
