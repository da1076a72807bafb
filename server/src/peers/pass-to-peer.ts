import type { RequestContext } from "@gatehouse/apiserver/request";
import type { Filter } from "@gatehouse/apiserver/server";
import { serviceUnavailable } from "@gatehouse/envelopes/status";
import type { PeerAddress, PeerEndpoints } from "./peer-endpoints.js";
import type { ServingServers } from "./serving-servers.js";

/** Dependencies of `passToPeer`. */
export interface PassToPeerOptions {
  /** The identity of this server. */
  readonly id: string;
  readonly serving: Pick<ServingServers, "of">;
  readonly endpoints: Pick<PeerEndpoints, "find">;
  /** Reports whether this server knows what all servers serve, and has told what it serves. */
  readonly isReady: () => boolean;
  /** Passes a request on to a server. Resolves when it has been answered. */
  readonly forward: (context: RequestContext, address: PeerAddress) => Promise<void>;
  /** Counts a request that was passed on, by the code of its answer. */
  readonly onForwarded: (code: number) => void;
  /** Called when the address of a server cannot be read. */
  readonly onError: (error: unknown) => void;
  /** Returns a number from 0 up to 1. Default `Math.random`. */
  readonly random?: () => number;
}

/** The header by which a server is told that a request has been passed on to it, so that it does not pass it on again. */
const peerProxied = "x-kubernetes-peer-proxied";

/** Headers for a request that is passed on. */
export const peerProxiedFields: readonly string[] = ["X-Kubernetes-Peer-Proxied", "true"];

/**
 * Passes requests for resources that this server does not serve, and others do, on to one of those. As in v1.29 nothing is
 * passed on while the address of any of them is unknown.
 */
export function passToPeer(options: PassToPeerOptions): Filter {
  const { id, serving, endpoints, isReady, forward, onForwarded, onError, random = Math.random } = options;

  /** Resolves to the address of a server; undefined when it is not told, or cannot be read. */
  async function addressOf(server: string): Promise<PeerAddress | undefined> {
    try {
      return await endpoints.find(server);
    } catch (error) {
      onError(error);
      return undefined;
    }
  }

  async function pass(context: RequestContext, servers: ReadonlySet<string>): Promise<void> {
    const addresses = await Promise.all([...servers].map(addressOf));
    const chosen = addresses[Math.floor(random() * addresses.length)];
    if (chosen === undefined || addresses.includes(undefined)) {
      throw serviceUnavailable("Error getting ip and port info of the remote server while proxying");
    }
    await forward(context, chosen);
    onForwarded(context.exchange.status);
  }

  return (context, next) => {
    const { info } = context;
    if (!info.isResourceRequest || context.header(peerProxied) === "true" || !isReady()) {
      return next(context);
    }
    const servers = serving.of(info);
    return servers === undefined || servers.size === 0 || servers.has(id) ? next(context) : pass(context, servers);
  };
}
