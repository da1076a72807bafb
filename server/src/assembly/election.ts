import type { Logger } from "@gatehouse/component-base/logs";
import type { Election } from "../controllers/start-controllers.js";
import type { ServerConfig } from "../options/server-config.js";

/**
 * Returns the place of a server among those that share its store; undefined for a server that has its store to itself,
 * which is so with the embedded store unless that is served by the API of etcd.
 */
export function electionOf(
  { etcd, etcdFace, electionTimes }: Pick<ServerConfig, "etcd" | "etcdFace" | "electionTimes">,
  identity: string,
  logger: Logger,
): Election | undefined {
  if (etcd === undefined && etcdFace === undefined) {
    return undefined;
  }
  return {
    identity,
    times: electionTimes,
    onChange: (isLeading) =>
      isLeading
        ? logger.info("this server runs the controllers of its store", { identity })
        : logger.info("this server no longer runs the controllers of its store", { identity }),
  };
}
