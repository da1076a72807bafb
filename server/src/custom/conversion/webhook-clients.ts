import { createHttpClient, type HttpClient } from "@gatehouse/component-base";
import type { JsonObject } from "@gatehouse/envelopes";
import { integerAt, isSet, objectAt, textAt } from "../../objects/json-fields.js";
import { postTo, type WebhookTarget } from "./conversion-webhook.js";
import { ConversionError } from "./converted-object.js";

/** Where a Service is reached now, or why it is not. */
export type ResolveService = (
  namespace: string,
  name: string,
  port: number,
) => Promise<{ readonly host: string; readonly port: number } | { readonly problem: string }>;

/** Clients that are kept at a time; each has connections of its own. */
const maxClients = 100;

/** Connections to conversion webhooks, kept as long as they are used: one client for each address and authority. */
export class WebhookClients implements Disposable {
  readonly #resolveService: ResolveService;
  readonly #clients = new Map<string, HttpClient>();

  constructor(resolveService: ResolveService) {
    this.#resolveService = resolveService;
  }

  /** The webhook that a `clientConfig` names. */
  async target(clientConfig: JsonObject): Promise<WebhookTarget> {
    const caBundle = textAt(clientConfig, "caBundle");
    if (!isSet(clientConfig, "service")) {
      const url = textAt(clientConfig, "url");
      return { client: this.#client(new URL(url), undefined, caBundle), url };
    }
    const service = objectAt(clientConfig, "service");
    const [name, namespace] = [textAt(service, "name"), textAt(service, "namespace")];
    const port = isSet(service, "port") ? Number(integerAt(service, "port")) : 443;
    const path = textAt(service, "path").replace(/^(?!\/)/, "/");
    const serverName = `${name}.${namespace}.svc`;
    const url = `https://${serverName}:${port}${path}`;
    const address = await this.#resolveService(namespace, name, port);
    if ("problem" in address) {
      throw new ConversionError(`${postTo(url)}: ${address.problem}`);
    }
    const host = address.host.includes(":") ? `[${address.host}]` : address.host;
    return { client: this.#client(new URL(`https://${host}:${address.port}${path}`), serverName, caBundle), url };
  }

  #client(server: URL, tlsServerName: string | undefined, caBundle: string): HttpClient {
    server.searchParams.set("timeout", "30s");
    const key = JSON.stringify([server.href, tlsServerName, caBundle]);
    let client = this.#clients.get(key);
    if (client === undefined) {
      client = createHttpClient({
        config: {
          server,
          insecureSkipTlsVerify: false,
          ...(tlsServerName === undefined ? {} : { tlsServerName }),
          ...(caBundle === "" ? {} : { certificateAuthorityPem: Buffer.from(caBundle, "base64").toString() }),
        },
        userAgent: "kube-apiserver-admission",
      });
    }
    // Last used, last dropped.
    this.#clients.delete(key);
    this.#clients.set(key, client);
    const [oldest] = this.#clients.keys();
    if (this.#clients.size > maxClients && oldest !== undefined) {
      this.#clients.get(oldest)?.[Symbol.dispose]();
      this.#clients.delete(oldest);
    }
    return client;
  }

  [Symbol.dispose](): void {
    for (const client of this.#clients.values()) {
      client[Symbol.dispose]();
    }
    this.#clients.clear();
  }
}
