import type { RegistrySource } from "@gatehouse/apiserver/registry";
import { withoutCredentials } from "@gatehouse/apiserver/reverse-proxy";
import type { ServerParts } from "@gatehouse/apiserver/server";
import { EgressMetrics } from "../egress-selector/egress-metrics.js";
import { LogMetrics } from "../kubelet-client/log-metrics.js";
import type { NodeCalls } from "../kubelet-client/node-calls.js";
import { openNodeTransports } from "../kubelet-client/node-transports.js";
import type { ServerConfig } from "../options/server-config.js";

/** Opens the calls of nodes, pods and services; they are closed with the server. Rejects for a file that cannot be used. */
export async function openNodeCalls(
  config: ServerConfig,
  { closers, metrics }: ServerParts,
  { liveRegistry }: { readonly liveRegistry: RegistrySource },
): Promise<NodeCalls> {
  const { nodeCalls, authentication, featureGates } = config;
  const egressMetrics = new EgressMetrics(metrics);
  const egress =
    nodeCalls.egressFile === undefined
      ? undefined
      : await (await import("../egress-selector/cluster-dialer.js")).openClusterDialer(
          nodeCalls.egressFile,
          egressMetrics,
        );
  return {
    liveRegistry,
    config: nodeCalls,
    transports: closers.use(openNodeTransports(nodeCalls, egress)),
    passing: {
      withoutCredentials: withoutCredentials(authentication.requestHeader),
      ...(config.maxConnectionBytesPerSecond === 0 ? {} : { maxBytesPerSecond: config.maxConnectionBytesPerSecond }),
    },
    logMetrics: new LogMetrics(metrics),
    translatesStreams: featureGates.enabled("TranslateStreamCloseWebsocketRequests"),
  };
}
