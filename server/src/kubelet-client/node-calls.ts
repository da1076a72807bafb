import type { RegistrySource } from "@gatehouse/apiserver/registry";
import type { PassingOptions } from "@gatehouse/apiserver/reverse-proxy";
import type { NodeCallsConfig } from "../options/kubelet.js";
import type { LogMetrics } from "./log-metrics.js";
import type { NodeTransports } from "./node-transports.js";

/** The parts that handlers of requests to nodes, pods and services need. */
export interface NodeCalls {
  readonly liveRegistry: RegistrySource;
  readonly config: NodeCallsConfig;
  readonly transports: NodeTransports;
  readonly passing: PassingOptions;
  readonly logMetrics: LogMetrics;
  /** True if commands over WebSockets with stream close are run by SPDY (TranslateStreamCloseWebsocketRequests). */
  readonly translatesStreams: boolean;
}
