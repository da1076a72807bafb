import type { RequestHeaderOptions } from "@gatehouse/apiserver/authentication";
import { sendText } from "@gatehouse/apiserver/http";
import type { Handler, RequestContext } from "@gatehouse/apiserver/request";
import { type Backend, type BackendTls, Transport } from "@gatehouse/apiserver/reverse-proxy";
import type { ServiceAddresses } from "@gatehouse/apiserver/review-webhooks";
import type { ServerParts } from "@gatehouse/apiserver/server";
import type { DialAddress } from "@gatehouse/component-base/http-client";
import type { CertificatePem } from "@gatehouse/component-base/kubeconfig";
import { andThen, type MaybePromise } from "@gatehouse/envelopes/scheduling";
import type { AggregationMetrics } from "./aggregation-metrics.js";
import { type RemoteApiService, serverKey } from "./api-service.js";
import type { ApiServiceTable } from "./api-service-table.js";
import { forwardAsUser } from "./forward-as-user.js";
import { claimsIdentity } from "./forwarded-fields.js";

/** Dependencies of RequestProxy. */
export interface RequestProxyOptions {
  readonly table: ApiServiceTable;
  readonly serviceAddresses: ServiceAddresses;
  /** Returns the client certificate as it is now; the same value until it changes. */
  readonly certificate: () => CertificatePem | undefined;
  /** The headers by which this server believes front proxies; those of clients are not passed on. */
  readonly requestHeader: RequestHeaderOptions | undefined;
  readonly rejectsRedirects: boolean;
  readonly metrics: AggregationMetrics;
  readonly terminations: Pick<ServerParts["terminations"], "notPassedOn">;
}

/** Time in milliseconds for the answer to a request for the resources of a group version, as in v1.29. */
const discoveryTimeoutMs = 5000;

/** The connections to the server of an APIService. */
interface Way {
  readonly transport: Transport;
  /** Connections for requests that must be answered within `discoveryTimeoutMs`. */
  readonly quick: Transport;
}

/**
 * Passes requests on to the servers behind APIServices, in the name of their users. There is no limit of concurrent
 * requests to one server besides that of all requests, so that a slow one holds up no other.
 */
export class RequestProxy implements Disposable {
  readonly #options: RequestProxyOptions;
  readonly #isClaim: (name: string) => boolean;
  readonly #ways = new Map<string, Way>();
  readonly #handlers = new WeakMap<RemoteApiService, Handler>();

  constructor(options: RequestProxyOptions) {
    this.#options = options;
    this.#isClaim = claimsIdentity(options.requestHeader);
    options.table.onChange(() => this.#closeUnused());
  }

  /** Returns the handler of the requests of an APIService. */
  handlerOf(apiService: RemoteApiService): Handler {
    let handler = this.#handlers.get(apiService);
    if (handler === undefined) {
      handler = apiService.isAvailable
        ? (context) => this.#forward(context, apiService)
        : (context) => this.#sayUnavailable(context);
      this.#handlers.set(apiService, handler);
    }
    return handler;
  }

  #forward(context: RequestContext, apiService: RemoteApiService): MaybePromise<void> {
    return andThen(this.#resolve(apiService), (backend) =>
      backend === undefined ? this.#sayUnavailable(context) : this.#forwardTo(backend, context, apiService),
    );
  }

  #forwardTo(backend: Backend, context: RequestContext, apiService: RemoteApiService): Promise<void> {
    const way = this.#wayOf(apiService);
    return forwardAsUser(context, {
      transport: isDiscovery(context) ? way.quick : way.transport,
      backend,
      isClaim: this.#isClaim,
      rejectsRedirects: this.#options.rejectsRedirects,
      onFailed: this.#options.metrics.failed,
    });
  }

  #sayUnavailable(context: RequestContext): void {
    this.#options.terminations.notPassedOn(context, 503);
    sendText(context, 503, "service unavailable\n");
  }

  /** Returns the address of a server; undefined where its service leads nowhere. */
  #resolve({ service }: RemoteApiService): MaybePromise<Backend | undefined> {
    try {
      const addresses = this.#options.serviceAddresses(service.namespace, service.name, service.port);
      return addresses instanceof Promise ? addresses.then(backendAt, nowhere) : backendAt(addresses);
    } catch {
      return undefined;
    }
  }

  #wayOf(apiService: RemoteApiService): Way {
    const key = serverKey(apiService);
    let way = this.#ways.get(key);
    if (way === undefined) {
      const tls = this.#tlsOf(apiService);
      way = { transport: new Transport({ tls }), quick: new Transport({ tls, headersTimeoutMs: discoveryTimeoutMs }) };
      this.#ways.set(key, way);
    }
    return way;
  }

  #tlsOf({ service, caBundle, insecureSkipTlsVerify }: RemoteApiService): () => BackendTls {
    const { certificate } = this.#options;
    const make = (clientCertificate: CertificatePem | undefined): BackendTls => ({
      serverName: `${service.name}.${service.namespace}.svc`,
      insecureSkipTlsVerify,
      ...(caBundle === "" ? {} : { certificateAuthorityPem: caBundle }),
      ...(clientCertificate === undefined ? {} : { clientCertificate }),
    });
    let used = certificate();
    let tls = make(used);
    return () => {
      const current = certificate();
      if (current !== used) {
        used = current;
        tls = make(current);
      }
      return tls;
    };
  }

  #closeUnused(): void {
    if (this.#ways.size === 0) {
      return;
    }
    const used = new Set<string>();
    for (const apiService of this.#options.table.allRemote()) {
      used.add(serverKey(apiService));
    }
    for (const [key, way] of this.#ways) {
      if (!used.has(key)) {
        this.#ways.delete(key);
        close(way);
      }
    }
  }

  [Symbol.dispose](): void {
    for (const way of this.#ways.values()) {
      close(way);
    }
    this.#ways.clear();
  }
}

/** The backends at addresses that were found before: an address is the same object until a Service or its endpoints change. */
const known = new WeakMap<DialAddress, Backend>();

function backendAt([address]: readonly DialAddress[]): Backend | undefined {
  if (address === undefined) {
    return undefined;
  }
  let backend = known.get(address);
  if (backend === undefined) {
    backend = { scheme: "https", ...address };
    known.set(address, backend);
  }
  return backend;
}

function nowhere(): undefined {
  return undefined;
}

function close({ transport, quick }: Way): void {
  transport[Symbol.dispose]();
  quick[Symbol.dispose]();
}

/** Reports whether a request is for the resources of a group version: clients ask all servers for these at once. */
function isDiscovery({ info, path }: RequestContext): boolean {
  return !info.isResourceRequest && path.split("/").filter((part) => part !== "").length === 3;
}
