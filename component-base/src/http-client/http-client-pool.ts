import { tell } from "./client-events.js";
import { createHttpClient, type HttpCaller, type HttpClient, type HttpClientOptions } from "./http-client.js";

/** Clients for many servers, of which only those that are used keep their connections. */
export interface HttpClientPool extends Disposable {
  /**
   * A caller of the server that `options` name. Callers with the same key share connections, so the key must tell apart
   * whatever differs in the options. The caller itself holds nothing and may be kept. Throws as `createHttpClient` does.
   */
  caller(key: string, options: HttpClientOptions): HttpCaller;
}

/** The bound of a pool. */
export interface HttpClientPoolOptions {
  /** Clients with connections at a time. Default 500; beyond that the one that was not used for longest is closed. */
  readonly maxClients?: number;
}

/** Makes an empty pool. A client that is closed lets its calls end. */
export function createHttpClientPool({ maxClients = 500 }: HttpClientPoolOptions = {}): HttpClientPool {
  const clients = new Map<string, HttpClient>();

  function use(key: string, options: HttpClientOptions): HttpClient {
    const known = clients.get(key);
    const client = known ?? createHttpClient(options);
    // Last used, last dropped.
    clients.delete(key);
    clients.set(key, client);
    const [oldest] = clients;
    if (clients.size > maxClients && oldest !== undefined) {
      clients.delete(oldest[0]);
      oldest[1][Symbol.dispose]();
    }
    tell("lookup", () => ({ isKnown: known !== undefined, clients: clients.size }));
    return client;
  }

  return {
    caller(key, options) {
      use(key, options);
      return {
        // Looked up with each call: the client of before may have been closed.
        request: (request) => use(key, options).request(request),
        requestJson: (request) => use(key, options).requestJson(request),
      };
    },
    [Symbol.dispose]() {
      for (const client of clients.values()) {
        client[Symbol.dispose]();
      }
      clients.clear();
    },
  };
}
