import { type ServiceAddresses, servicePathOf, webhookPathOf } from "@gatehouse/apiserver/review-webhooks";
import {
  createHttpClientPool,
  type HttpCaller,
  type HttpClientOptions,
  type HttpClientPool,
} from "@gatehouse/component-base/http-client";
import { integerAt, isSet, type JsonObject, objectAt, textAt } from "@gatehouse/envelopes/json";
import type { ConversionMetrics } from "./conversion-metrics.js";
import type { WebhookTarget } from "./conversion-webhook.js";

/** Connections to conversion webhooks, kept as long as they are used: for each address, name and authority. */
export class WebhookClients implements Disposable {
  /** Measures conversions; nobody does when absent. */
  readonly metrics: ConversionMetrics | undefined;
  readonly #serviceAddresses: ServiceAddresses;
  readonly #pool: HttpClientPool = createHttpClientPool();

  constructor(serviceAddresses: ServiceAddresses, metrics?: ConversionMetrics) {
    this.metrics = metrics;
    this.#serviceAddresses = serviceAddresses;
  }

  /** Returns the webhook that a `clientConfig` names. */
  target(clientConfig: JsonObject): WebhookTarget {
    const caBundle = textAt(clientConfig, "caBundle");
    if (!isSet(clientConfig, "service")) {
      const stated = textAt(clientConfig, "url");
      const url = `${/^[a-z]+:\/\/[^/?#]*/i.exec(stated)?.[0] ?? ""}${webhookPathOf(stated)}`;
      return { client: this.#caller(url, caBundle), url };
    }
    const service = objectAt(clientConfig, "service");
    const [name, namespace] = [textAt(service, "name"), textAt(service, "namespace")];
    const port = isSet(service, "port") ? Number(integerAt(service, "port")) : 443;
    const url = `https://${name}.${namespace}.svc:${port}${servicePathOf(textAt(service, "path"))}`;
    const dialAddresses = () => this.#serviceAddresses(namespace, name, port);
    return { client: this.#caller(url, caBundle, dialAddresses), url };
  }

  #caller(url: string, caBundle: string, dialAddresses?: HttpClientOptions["dialAddresses"]): HttpCaller {
    const server = new URL(url);
    server.searchParams.set("timeout", "30s");
    return this.#pool.caller(JSON.stringify([url, caBundle]), {
      config: {
        server,
        insecureSkipTlsVerify: false,
        ...(caBundle === "" ? {} : { certificateAuthorityPem: Buffer.from(caBundle, "base64").toString() }),
      },
      userAgent: "kube-apiserver-admission",
      ...(dialAddresses === undefined ? {} : { dialAddresses }),
    });
  }

  [Symbol.dispose](): void {
    this.#pool[Symbol.dispose]();
  }
}
