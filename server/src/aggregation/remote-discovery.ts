import { WorkQueue } from "@gatehouse/apiserver/client";
import { isSameJson, type JsonObject } from "@gatehouse/envelopes/json";
import { type RemoteApiService, serverKey } from "./api-service.js";
import type { ApiServiceTable } from "./api-service-table.js";
import type { Backends } from "./backends.js";
import {
  aggregatedDiscoveryType,
  isAggregatedDiscovery,
  readAggregatedDiscovery,
  readLegacyDiscovery,
} from "./discovery-answer.js";
import { RemoteServerError } from "./remote-server-error.js";

/** The resources of a delegated group version, as its server has stated them. */
export interface DiscoveredVersion {
  /** An APIVersionDiscovery without freshness; absent if the server has never stated one. */
  readonly stated: JsonObject | undefined;
  /** True if the last attempt to ask has succeeded. */
  readonly isCurrent: boolean;
}

/** Dependencies of RemoteDiscovery. */
export interface RemoteDiscoveryOptions {
  readonly table: ApiServiceTable;
  readonly backends: Pick<Backends, "request">;
  readonly signal: AbortSignal;
}

/** Milliseconds between two looks at a server, and the limit for one answer, as in v1.29. */
const intervalMs = 60_000;
const timeoutMs = 5000;
const maxResponseBytes = 8 * 1024 * 1024;
/** Number of servers that are asked at a time, so that one that does not answer holds up no other. */
const concurrency = 16;

/** All group versions of one service, as of the time in milliseconds at which it was asked. */
interface ServiceDiscovery {
  readonly askedAtMs: number;
  readonly etag: string;
  readonly versions: ReadonlyMap<string, JsonObject>;
}

const user = { username: "system:kube-aggregator", group: "system:masters" };
const plainUser = { username: "system:kube-aggregator" };

/**
 * The discovery of other servers, asked when their APIServices change and every minute. A server that fails keeps its
 * last answer, which is stale then.
 */
export class RemoteDiscovery {
  readonly #options: RemoteDiscoveryOptions;
  readonly #versions = new Map<string, DiscoveredVersion>();
  readonly #services = new Map<string, ServiceDiscovery>();
  /** The time of the last change of each APIService; an answer from before it does not count. */
  readonly #dirtySinceMs = new Map<string, number>();
  readonly #listeners = new Set<() => void>();
  #changes = 0;

  constructor(options: RemoteDiscoveryOptions) {
    this.#options = options;
    const { table, signal } = options;
    const queue = new WorkQueue({ work: (name) => this.#look(name), concurrency, signal, onError() {} });
    table.onChange((name) => {
      if (table.remote(name) === undefined) {
        this.#forget(name);
      } else {
        this.#dirtySinceMs.set(name, performance.now());
        queue.add(name);
      }
    });
  }

  /** The number of changes so far. */
  get changes(): number {
    return this.#changes;
  }

  /** Calls `listener` after every change, until the result is disposed of. */
  onChange(listener: () => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  /** Returns the discovery of an APIService; undefined if its server has not been asked yet. */
  of(name: string): DiscoveredVersion | undefined {
    return this.#versions.get(name);
  }

  async #look(name: string): Promise<{ readonly afterMs: number } | undefined> {
    const apiService = this.#options.table.remote(name);
    if (apiService === undefined) {
      return undefined;
    }
    const before = this.#versions.get(name);
    let next: DiscoveredVersion;
    try {
      next = { stated: await this.#ask(apiService), isCurrent: true };
    } catch {
      next = { stated: before?.stated, isCurrent: false };
    }
    if (this.#options.table.remote(name) !== undefined) {
      this.#versions.set(name, next);
      if (before?.isCurrent !== next.isCurrent || !isSameJson(before.stated ?? null, next.stated ?? null)) {
        this.#changed();
      }
    }
    return { afterMs: intervalMs };
  }

  /** Resolves to the group version of an APIService; undefined where its server does not state it. */
  async #ask(apiService: RemoteApiService): Promise<JsonObject | undefined> {
    const { group, version, name } = apiService;
    const key = serverKey(apiService);
    const known = this.#services.get(key);
    const dirtySinceMs = Math.max(this.#dirtySinceMs.get(name) ?? 0, performance.now() - intervalMs / 2);
    if (known !== undefined && known.askedAtMs > dirtySinceMs) {
      return known.versions.get(`${group}/${version}`);
    }
    const askedAtMs = performance.now();
    const answer = await this.#options.backends.request(apiService, {
      path: "/apis",
      user,
      headers: {
        accept: aggregatedDiscoveryType,
        ...(known === undefined || known.etag === "" ? {} : { "if-none-match": known.etag }),
      },
      timeoutMs,
      maxResponseBytes,
      signal: this.#options.signal,
    });
    if (known !== undefined && answer.status === 304) {
      this.#services.set(key, { ...known, askedAtMs });
      return known.versions.get(`${group}/${version}`);
    }
    if (answer.status === 200 && isAggregatedDiscovery(String(answer.headers["content-type"] ?? ""))) {
      const versions = readAggregatedDiscovery(answer.body);
      this.#services.set(key, { askedAtMs, etag: String(answer.headers["etag"] ?? ""), versions });
      return versions.get(`${group}/${version}`);
    }
    if (answer.status === 503) {
      throw new RemoteServerError("the server is not available");
    }
    return await this.#askLegacy(apiService);
  }

  async #askLegacy(apiService: RemoteApiService): Promise<JsonObject> {
    const { group, version } = apiService;
    const path = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
    const answer = await this.#options.backends.request(apiService, {
      path,
      user: plainUser,
      headers: { accept: "application/json" },
      timeoutMs,
      maxResponseBytes,
      signal: this.#options.signal,
    });
    if (answer.status !== 200) {
      throw new RemoteServerError(`the server answered ${answer.status}`);
    }
    return readLegacyDiscovery(version, answer.body);
  }

  #forget(name: string): void {
    this.#dirtySinceMs.delete(name);
    const used = new Set<string>();
    for (const apiService of this.#options.table.allRemote()) {
      used.add(serverKey(apiService));
    }
    for (const key of this.#services.keys()) {
      if (!used.has(key)) {
        this.#services.delete(key);
      }
    }
    if (this.#versions.delete(name)) {
      this.#changed();
    }
  }

  #changed(): void {
    this.#changes++;
    for (const listener of this.#listeners) {
      listener();
    }
  }
}
