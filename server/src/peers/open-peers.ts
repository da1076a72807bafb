import type { RequestHeaderOptions } from "@gatehouse/apiserver/authentication";
import { Transport, tlsOfCredentials } from "@gatehouse/apiserver/reverse-proxy";
import { type Filter, type ServerParts, serverId } from "@gatehouse/apiserver/server";
import { openClientCredentials } from "@gatehouse/component-base/credentials";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { problemAt } from "@gatehouse/component-base/problems";
import { forwardAsUser } from "../aggregation/forward-as-user.js";
import { claimsIdentity } from "../aggregation/forwarded-fields.js";
import { passToPeer, peerProxiedFields } from "./pass-to-peer.js";
import { type PeerEndpoints, storePeerEndpoints } from "./peer-endpoints.js";
import { ServingServers } from "./serving-servers.js";

/** Dependencies of `openPeers`. */
export interface PeersOptions
  extends Pick<ServerParts, "closers" | "metrics" | "objectSource" | "reportFault" | "store"> {
  readonly keyPrefix: string;
  /** The files by which other servers are known, and this one to them; undefined where nothing is passed on. */
  readonly trust: { readonly authorityFile: string; readonly certFile: string; readonly keyFile: string } | undefined;
  readonly requestHeader: RequestHeaderOptions | undefined;
  /** Reports whether this server has told others what it serves. */
  readonly hasRegistered: () => boolean;
}

/** The other API servers of the cluster, as the parts of this server know them. */
export interface Peers {
  readonly endpoints: PeerEndpoints;
  /** Passes requests on; undefined where nothing is passed on. */
  readonly filter: Filter | undefined;
  /** Reports whether requests may be passed on by now; undefined where nothing is passed on. */
  readonly isReady: (() => boolean) | undefined;
}

/** The name by which every server of a cluster is known, as in v1.29. */
const serverName = "kubernetes.default.svc";

/** Opens the way to the other API servers of the cluster. Rejects with a ConfigurationError when a file cannot be used. */
export async function openPeers(options: PeersOptions): Promise<Peers> {
  const { trust, hasRegistered, requestHeader, reportFault } = options;
  const endpoints = storePeerEndpoints(options.store, options.keyPrefix);
  const rerouted = options.metrics.counter({
    name: "apiserver_rerouted_request_total",
    help: "Requests that were passed on to another API server of the cluster since this one does not serve them, by the code of the answer.",
    labelNames: ["code"],
  });
  if (trust === undefined) {
    return { endpoints, filter: undefined, isReady: undefined };
  }
  const transport = await openTransport(trust);
  options.closers.use(transport);
  const serving = new ServingServers();
  let isFollowed = false;
  const following = options.objectSource.follow(
    { group: "internal.apiserver.k8s.io", resource: "storageversions" },
    serving,
  );
  void following.then(() => {
    isFollowed = true;
  }, reportFault);
  const isReady = (): boolean => isFollowed && hasRegistered();
  const isClaim = claimsIdentity(requestHeader);
  const filter = passToPeer({
    id: serverId(),
    serving,
    endpoints,
    isReady,
    forward: (context, address) =>
      forwardAsUser(context, {
        transport,
        backend: { scheme: "https", ...address },
        isClaim,
        further: peerProxiedFields,
        rejectsRedirects: false,
      }),
    onForwarded: (code) => rerouted.labels({ code: String(code) }).inc(),
    onError: reportFault,
  });
  return { endpoints, filter, isReady };
}

async function openTransport({
  authorityFile,
  certFile,
  keyFile,
}: NonNullable<PeersOptions["trust"]>): Promise<Transport> {
  const credentials = openClientCredentials({
    // The addresses of the servers come with each call.
    server: new URL("https://peer.invalid"),
    insecureSkipTlsVerify: false,
    certificateAuthorityFile: authorityFile,
    clientCertificateFiles: { certFile, keyFile },
  });
  try {
    await credentials.forCall();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigurationError("flags", [problemAt("--peer-ca-file", `cannot be used: ${reason}`)]);
  }
  return new Transport({ tls: tlsOfCredentials(credentials, { serverName, insecureSkipTlsVerify: false }) });
}
