import type { RequestHeaderOptions } from "@gatehouse/apiserver/authentication";
import type { Delegation } from "@gatehouse/apiserver/delegation";
import { sendText } from "@gatehouse/apiserver/http";
import type { RequestContext } from "@gatehouse/apiserver/request";
import type { ServiceAddresses } from "@gatehouse/apiserver/review-webhooks";
import type { ServerParts } from "@gatehouse/apiserver/server";
import type { RemoteApiService } from "./api-service.js";
import { ApiServiceTable } from "./api-service-table.js";
import { type AvailabilityMetrics, availabilityMetrics } from "./availability-metrics.js";
import { Backends } from "./backends.js";
import { delegatedApi, type Ranks } from "./delegated-api.js";
import { probeApiService } from "./probe.js";
import { openProxyIdentity } from "./proxy-identity.js";
import { RemoteDiscovery } from "./remote-discovery.js";

/** Dependencies of `openAggregation`. */
export interface AggregationOptions
  extends Pick<ServerParts, "closers" | "metrics" | "objectSource" | "reportFault" | "signal"> {
  readonly config: {
    readonly proxyClient: { readonly certFile: string; readonly keyFile: string } | undefined;
    readonly rejectsRedirects: boolean;
  };
  readonly requestHeader: RequestHeaderOptions | undefined;
  readonly serviceAddresses: ServiceAddresses;
  /** The built-in groups with their ranks. */
  readonly groups: readonly {
    readonly name: string;
    readonly groupPriorityMinimum: number;
    readonly versions: readonly { readonly version: string; readonly versionPriority: number }[];
  }[];
}

/** The servers behind APIServices, as the parts of this server know them. */
export interface Aggregation {
  readonly delegation: Delegation;
  /** Asks the server of an APIService for its group version; resolves to the reason why that failed. */
  readonly probe: (apiService: RemoteApiService) => Promise<string | undefined>;
  readonly availability: AvailabilityMetrics;
}

/** The ranks of group versions that definitions define, as the registration controller has them. */
const customRanks: Ranks = { groupPriority: 1000, versionPriority: 100 };

/** Follows APIServices, and opens what passes requests on to the servers behind them. */
export async function openAggregation(options: AggregationOptions): Promise<Aggregation> {
  const { config, closers, serviceAddresses, signal } = options;
  const proxyIdentity = await openProxyIdentity(config.proxyClient, options.reportFault);
  closers.use(proxyIdentity);
  const { identity } = proxyIdentity;
  const table = new ApiServiceTable();
  const backends = new Backends({ identity, serviceAddresses });
  closers.use(backends);
  const discovery = new RemoteDiscovery({ table, backends, signal });
  await options.objectSource.follow({ group: "apiregistration.k8s.io", resource: "apiservices" }, table);
  return {
    delegation: {
      handlerOf(path) {
        const apiService = table.remoteAt(path);
        return apiService === undefined ? undefined : unavailable;
      },
      withDelegated: delegatedApi({ table, discovery, ownRanks: ranksOfGroups(options.groups) }),
    },
    probe: (apiService) => probeApiService(apiService, { identity, serviceAddresses, signal }),
    availability: availabilityMetrics(options.metrics),
  };
}

function unavailable(context: RequestContext): void {
  sendText(context, 503, "service unavailable\n");
}

function ranksOfGroups(groups: AggregationOptions["groups"]): (group: string, version: string) => Ranks {
  const ranks = new Map<string, Ranks>();
  for (const { name, groupPriorityMinimum, versions } of groups) {
    for (const { version, versionPriority } of versions) {
      ranks.set(`${name}/${version}`, { groupPriority: groupPriorityMinimum, versionPriority });
    }
  }
  return (group, version) => ranks.get(`${group}/${version}`) ?? customRanks;
}
