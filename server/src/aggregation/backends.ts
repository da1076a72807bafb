import type { ServiceAddresses } from "@gatehouse/apiserver/review-webhooks";
import {
  createHttpClientPool,
  type HttpCaller,
  type HttpClientPool,
  type HttpResponse,
} from "@gatehouse/component-base/http-client";
import type { ClientConfig, ClientIdentity } from "@gatehouse/component-base/kubeconfig";
import { type RemoteApiService, serverKey } from "./api-service.js";

/** A request to another server that this server makes itself. */
export interface BackendRequest {
  /** GET when absent. */
  readonly method?: string;
  readonly path: string;
  /** The user by whom this server introduces itself. */
  readonly user: { readonly username: string; readonly group?: string };
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly timeoutMs: number;
  readonly maxResponseBytes: number;
  /** Takes the body of a 200 piece by piece, without a limit. What it throws ends the request. */
  readonly onBody?: (piece: Buffer) => void;
  readonly signal: AbortSignal;
}

/** Dependencies of Backends. */
export interface BackendsOptions {
  /** The client certificate by which other servers know this one as a front proxy. */
  readonly identity: ClientIdentity;
  readonly serviceAddresses: ServiceAddresses;
}

/** The servers behind APIServices, as far as this server itself calls them. Connections are kept. */
export class Backends implements Disposable {
  readonly #options: BackendsOptions;
  readonly #pool: HttpClientPool = createHttpClientPool({ maxClients: 100 });

  constructor(options: BackendsOptions) {
    this.#options = options;
  }

  /** Resolves to the answer, whatever its status. Rejects with HttpClientError, or TypeError for an unusable bundle. */
  async request(apiService: RemoteApiService, request: BackendRequest): Promise<HttpResponse> {
    const { user, headers, ...rest } = request;
    return await this.#callerOf(apiService).request({
      ...rest,
      headers: {
        ...headers,
        "x-remote-user": user.username,
        ...(user.group === undefined ? {} : { "x-remote-group": user.group }),
      },
    });
  }

  #callerOf(apiService: RemoteApiService): HttpCaller {
    const { service, caBundle, insecureSkipTlsVerify } = apiService;
    const { serviceAddresses, identity } = this.#options;
    const { namespace, name, port } = service;
    const host = `${name}.${namespace}.svc`;
    const config: ClientConfig = {
      ...identity,
      server: new URL(`https://${host}:${port}`),
      insecureSkipTlsVerify,
      tlsServerName: host,
      ...(caBundle === "" ? {} : { certificateAuthorityPem: caBundle }),
    };
    return this.#pool.caller(serverKey(apiService), {
      config,
      userAgent: "Go-http-client/2.0",
      dialAddresses: () => serviceAddresses(namespace, name, port),
    });
  }

  [Symbol.dispose](): void {
    this.#pool[Symbol.dispose]();
  }
}
