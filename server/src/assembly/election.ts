import type { Logger } from "@gatehouse/component-base/logs";
import { type Election, leaseName } from "../controllers/start-controllers.js";
import type { ServerConfig } from "../options/server-config.js";
import type { ControllerMetrics } from "./controller-metrics.js";

/**
 * Returns the place of a server among those that share its store; undefined for a server that has its store to itself,
 * which is so with the embedded store unless that is served by the API of etcd.
 */
export function electionOf(
  { etcd, etcdFace, electionTimes }: Pick<ServerConfig, "etcd" | "etcdFace" | "electionTimes">,
  identity: string,
  logger: Logger,
  metrics: Pick<ControllerMetrics, "leading">,
): Election | undefined {
  if (etcd === undefined && etcdFace === undefined) {
    return undefined;
  }
  metrics.leading(leaseName, false);
  return {
    identity,
    times: electionTimes,
    onChange(isLeading) {
      metrics.leading(leaseName, isLeading);
      logger.info(`this server ${isLeading ? "runs" : "no longer runs"} the controllers of its store`, { identity });
    },
  };
}
