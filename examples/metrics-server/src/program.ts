import { readFile } from "node:fs/promises";
import type { ExtensionProgram } from "@gatehouse/apiserver/extension";
import { metricsGroup, type ReadUsage } from "./metrics.js";
import { parseUsage } from "./usage.js";

/** Returns the API server of metrics.k8s.io, with the usage from a source. */
export function metricsProgram(read: ReadUsage): ExtensionProgram {
  return { name: "metrics-server", groups: [metricsGroup(read)] };
}

/** Returns a source that reads a Prometheus text from a file, or from an http or https URL. */
export function usageFrom(place: string): ReadUsage {
  const text = /^https?:/.test(place)
    ? async () => (await fetch(place, { signal: AbortSignal.timeout(10_000) })).text()
    : () => readFile(place, "utf8");
  return async () => parseUsage(await text(), new Date());
}
