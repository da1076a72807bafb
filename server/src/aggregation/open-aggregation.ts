import type { RequestHeaderOptions } from "@gatehouse/apiserver/authentication";
import type { ObjectClient } from "@gatehouse/apiserver/client";
import type { Delegation } from "@gatehouse/apiserver/delegation";
import type { Verb } from "@gatehouse/apiserver/registry";
import type { ServiceAddresses } from "@gatehouse/apiserver/review-webhooks";
import type { ServerParts } from "@gatehouse/apiserver/server";
import { type AggregatedClient, AggregatedObjectClient } from "./aggregated-object-client.js";
import { aggregationMetrics } from "./aggregation-metrics.js";
import type { RemoteApiService } from "./api-service.js";
import { ApiServiceTable } from "./api-service-table.js";
import { type AvailabilityMetrics, availabilityMetrics } from "./availability-metrics.js";
import { Backends } from "./backends.js";
import { delegatedApi, type Ranks } from "./delegated-api.js";
import { probeApiService } from "./probe.js";
import { openProxyIdentity } from "./proxy-identity.js";
import { RemoteDiscovery } from "./remote-discovery.js";
import { type RemoteObjects, remoteObjects } from "./remote-objects.js";
import { RemoteOpenApi } from "./remote-openapi.js";
import { type ActingController, RemoteRequests } from "./remote-requests.js";
import { RequestProxy } from "./request-proxy.js";

/** Dependencies of `openAggregation`. */
export interface AggregationOptions
  extends Pick<ServerParts, "closers" | "metrics" | "objectSource" | "reportFault" | "signal" | "terminations"> {
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
  /** Reports whether there is a certificate by which other servers know this one; undefined where none is configured. */
  readonly hasProxyCertificate: (() => boolean) | undefined;
  /** Asks the server of an APIService for its group version; resolves to the reason why that failed. */
  readonly probe: (apiService: RemoteApiService) => Promise<string | undefined>;
  readonly availability: AvailabilityMetrics;
  /** Returns the objects of other servers, as a controller reads and deletes them by its service account. */
  readonly objectsFor: (controller: ActingController) => RemoteObjects;
  /** Returns a client of the objects of this server and of others: of resources that have the verbs. */
  readonly clientFor: (controller: ActingController, local: ObjectClient, verbs: readonly Verb[]) => AggregatedClient;
}

/** The ranks of group versions that definitions define, as the registration controller has them. */
const customRanks: Ranks = { groupPriority: 1000, versionPriority: 100 };

/** Follows APIServices, and opens what passes requests on to the servers behind them. */
export async function openAggregation(options: AggregationOptions): Promise<Aggregation> {
  const { config, closers, serviceAddresses, signal, requestHeader } = options;
  const proxyIdentity = await openProxyIdentity(config.proxyClient, options.reportFault);
  closers.use(proxyIdentity);
  const { identity } = proxyIdentity;
  const table = new ApiServiceTable();
  const backends = new Backends({ identity, serviceAddresses });
  closers.use(backends);
  const discovery = new RemoteDiscovery({ table, backends, signal });
  const openapi = new RemoteOpenApi({ table, backends, signal });
  const proxy = new RequestProxy({
    table,
    serviceAddresses,
    certificate: () => proxyIdentity.current,
    requestHeader,
    rejectsRedirects: config.rejectsRedirects,
    metrics: aggregationMetrics(options.metrics),
    terminations: options.terminations,
  });
  closers.use(proxy);
  const requestsOf = (controller: ActingController): RemoteRequests =>
    new RemoteRequests({ table, backends, controller });
  await options.objectSource.follow({ group: "apiregistration.k8s.io", resource: "apiservices" }, table);
  return {
    hasProxyCertificate: config.proxyClient && (() => proxyIdentity.current !== undefined),
    delegation: {
      handlerOf(path) {
        const apiService = table.remoteAt(path);
        return apiService === undefined ? undefined : proxy.handlerOf(apiService);
      },
      documentHandlerOf(id) {
        const document = openapi.documents().get(id);
        return document && proxy.handlerOf(document.apiService);
      },
      withDelegated: delegatedApi({ table, discovery, openapi, ownRanks: ranksOfGroups(options.groups) }),
    },
    probe: (apiService) => probeApiService(apiService, { identity, serviceAddresses, signal }),
    availability: availabilityMetrics(options.metrics),
    objectsFor: (controller) => remoteObjects({ table, discovery, requests: requestsOf(controller), signal }),
    clientFor: (controller, local, verbs) =>
      new AggregatedObjectClient({ table, discovery, requests: requestsOf(controller), local, verbs, signal }),
  };
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
