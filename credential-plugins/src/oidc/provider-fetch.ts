import { createHttpClient, type HttpClient } from "@gatehouse/component-base/http-client";
import type { OidcSettings } from "./oidc-settings.js";

/** The function that both libraries (openid-client, jose) take in place of `fetch`. */
export type ProviderFetch = (url: string, options: ProviderRequest) => Promise<Response>;

interface ProviderRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>> | Headers;
  readonly body?: unknown;
  readonly signal?: AbortSignal | null;
}

/** Far more than discovery, keys and tokens ever need. */
const maxResponseBytes = 1024 * 1024;
const timeoutMs = 15_000;

/**
 * Calls a provider with the HTTP client of all our programs: its authorities, its proxy, a time limit and a bound on answers.
 * Redirects are not followed, and nothing but https is called: neither is a place to send a secret to.
 */
export function openProviderFetch(settings: OidcSettings, signal: AbortSignal): { fetch: ProviderFetch } & Disposable {
  const clients = new Map<string, HttpClient>();

  function clientOf({ origin }: URL): HttpClient {
    let client = clients.get(origin);
    if (client === undefined) {
      const { certificateAuthorityPem, proxyUrl } = settings;
      client = createHttpClient({
        config: {
          server: new URL(origin),
          insecureSkipTlsVerify: false,
          ...(certificateAuthorityPem === undefined ? {} : { certificateAuthorityPem }),
          ...(proxyUrl === undefined ? {} : { proxyUrl }),
        },
        userAgent: "gatehouse-credential-oidc",
      });
      clients.set(origin, client);
    }
    return client;
  }

  return {
    async fetch(address, { method, headers, body, signal: ofCall }) {
      const url = new URL(address);
      if (url.protocol !== "https:") {
        throw new TypeError(`not an https address: ${url.origin}`);
      }
      const answer = await clientOf(url).request({
        method,
        path: `${url.pathname}${url.search}`,
        headers: Object.fromEntries(new Headers(headers)),
        signal: ofCall == null ? signal : AbortSignal.any([signal, ofCall]),
        timeoutMs,
        maxResponseBytes,
        ...(body == null ? {} : { body: bodyText(body) }),
      });
      const fields = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)]);
      const isEmpty = answer.status === 204 || answer.status === 205 || answer.status === 304;
      return new Response(isEmpty ? null : new Uint8Array(answer.body), { status: answer.status, headers: fields });
    },
    [Symbol.dispose]() {
      for (const client of clients.values()) {
        client[Symbol.dispose]();
      }
    },
  };
}

/** Both libraries send forms only. */
function bodyText(body: unknown): string {
  if (body instanceof URLSearchParams || typeof body === "string") {
    return String(body);
  }
  throw new TypeError("the body of a request must be a form");
}
