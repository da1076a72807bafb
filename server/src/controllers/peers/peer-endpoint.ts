import { type Controller, type ControllerOptions, reconcile } from "@gatehouse/apiserver/client";
import { serverId } from "@gatehouse/apiserver/server";
import type { PeerAddress, PeerEndpoints } from "../../peers/peer-endpoints.js";

/** The options of the controller that tells other API servers where this one is. */
export interface PeerEndpointOptions extends ControllerOptions {
  readonly endpoints: Pick<PeerEndpoints, "release" | "renew">;
  readonly address: PeerAddress;
  /** Reports whether this server can take requests of others. */
  readonly isReady: () => boolean;
}

/** Interval in milliseconds between renewals, as in v1.29. */
const intervalMs = 10_000;
/** Interval in milliseconds between questions whether the server is ready, as in v1.29. */
const readyIntervalMs = 100;

/** Tells the other API servers of the cluster where they reach this one, from when it is ready until it stops. */
export function peerEndpoint({ endpoints, address, isReady, ...options }: PeerEndpointOptions): Controller {
  const id = serverId();
  return {
    name: "peer-endpoint-reconciler-controller",
    async run(signal) {
      await reconcile({
        ...options,
        // v1.29 does this without a queue, and has no metrics of one.
        queueMetrics: undefined,
        signal,
        concurrency: 1,
        initial: [id],
        sources: [],
        async work() {
          if (!isReady()) {
            return { afterMs: readyIntervalMs };
          }
          await endpoints.renew(id, address);
          return { afterMs: intervalMs };
        },
      });
      // The others need not wait until the lease runs out.
      await endpoints.release(id);
    },
  };
}
