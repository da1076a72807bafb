import { WorkQueue } from "@gatehouse/apiserver/client";
import type { ForeignSpec } from "@gatehouse/apiserver/discovery";
import { readForeignSpec } from "@gatehouse/apiserver/openapi";
import { isJsonObject, type JsonObject, type JsonValue, objectAt, textAt } from "@gatehouse/envelopes/json";
import { type RemoteApiService, serverKey } from "./api-service.js";
import type { ApiServiceTable } from "./api-service-table.js";
import type { Backends } from "./backends.js";

/** Dependencies of RemoteOpenApi. */
export interface RemoteOpenApiOptions {
  readonly table: ApiServiceTable;
  readonly backends: Pick<Backends, "get">;
  readonly signal: AbortSignal;
}

/** Milliseconds between two looks at a server, before the first one, and the limit for one answer, as in v1.29. */
const intervalMs = 60_000;
const firstAfterMs = 1000;
const timeoutMs = 60_000;
const maxResponseBytes = 16 * 1024 * 1024;
/** Number of servers that are asked at a time: their documents are long. */
const concurrency = 4;
const backoff = { firstMs: firstAfterMs, maxMs: 60 * intervalMs };
const user = { username: "system:aggregator" };

/** The OpenAPI documents of one server. */
interface ServerDocuments {
  /** The Swagger 2.0 document; undefined if the server has none. */
  readonly spec: ForeignSpec | undefined;
  readonly etag: string;
  /** URLs of OpenAPI 3.0 documents by id. */
  readonly urls: ReadonlyMap<string, string>;
}

/** The OpenAPI documents of other servers, read every minute. A server that fails keeps those that it had last. */
export class RemoteOpenApi {
  readonly #options: RemoteOpenApiOptions;
  readonly #documents = new Map<string, ServerDocuments>();
  #changes = 0;

  constructor(options: RemoteOpenApiOptions) {
    this.#options = options;
    const { table, signal } = options;
    const work = (key: string): Promise<{ readonly afterMs: number } | undefined> => this.#look(key);
    const queue = new WorkQueue({ work, concurrency, backoff, signal, onError() {} });
    const asked = new Set<string>();
    table.onChange((name) => {
      const apiService = table.remote(name);
      if (apiService === undefined) {
        this.#forgetUnused();
      } else if (apiService.isAvailable) {
        const key = serverKey(apiService);
        queue.addAfter(key, asked.has(key) ? intervalMs : firstAfterMs);
        asked.add(key);
      } else {
        asked.delete(serverKey(apiService));
      }
    });
  }

  /** The number of changes so far. */
  get changes(): number {
    return this.#changes;
  }

  /** The Swagger 2.0 documents in the order in which they are merged: servers with groups of high priority first. */
  specs(): readonly ForeignSpec[] {
    return this.#inOrder().flatMap((apiService) => this.#documents.get(serverKey(apiService))?.spec ?? []);
  }

  /** The OpenAPI 3.0 documents by id, each with the APIService whose server has it. */
  documents(): ReadonlyMap<string, { readonly url: string; readonly apiService: RemoteApiService }> {
    const found = new Map<string, { readonly url: string; readonly apiService: RemoteApiService }>();
    for (const apiService of this.#inOrder()) {
      for (const [id, url] of this.#documents.get(serverKey(apiService))?.urls ?? []) {
        if (!found.has(id)) {
          found.set(id, { url, apiService });
        }
      }
    }
    return found;
  }

  /** Reads the documents of a server. */
  async #look(key: string): Promise<{ readonly afterMs: number } | undefined> {
    const apiService = this.#inOrder().find((candidate) => serverKey(candidate) === key);
    if (apiService === undefined) {
      return undefined;
    }
    const before = this.#documents.get(key);
    const [urls, swagger] = await Promise.all([this.#readIndex(apiService), this.#readSpec(apiService, before)]);
    const isSame = before !== undefined && before.spec === swagger.spec && isSameMap(before.urls, urls);
    if (!isSame) {
      this.#documents.set(key, { ...swagger, urls });
      this.#changes++;
      this.#forgetUnused();
    }
    return { afterMs: intervalMs };
  }

  async #readIndex(apiService: RemoteApiService): Promise<ReadonlyMap<string, string>> {
    const { status, body } = await this.#get(apiService, "/openapi/v3", {});
    if (status === 404) {
      return new Map();
    }
    const paths = objectAt(documentOf(status, body), "paths");
    return new Map(Object.entries(paths).map(([id, item]) => [id, textAt(item, "serverRelativeURL")]));
  }

  async #readSpec(
    apiService: RemoteApiService,
    before: ServerDocuments | undefined,
  ): Promise<Pick<ServerDocuments, "spec" | "etag">> {
    const { status, body, headers } = await this.#get(apiService, "/openapi/v2", {
      accept: "application/json",
      ...(before === undefined || before.etag === "" ? {} : { "if-none-match": before.etag }),
    });
    if (before !== undefined && status === 304) {
      return before;
    }
    return {
      spec: status === 404 ? undefined : readForeignSpec(documentOf(status, body)),
      etag: String(headers["etag"] ?? ""),
    };
  }

  #get(apiService: RemoteApiService, path: string, headers: Readonly<Record<string, string>>) {
    const { backends, signal } = this.#options;
    return backends.get(apiService, { path, user, headers, timeoutMs, maxResponseBytes, signal });
  }

  /** Returns the APIServices of other servers by their priority, one for each server. */
  #inOrder(): readonly RemoteApiService[] {
    const all = [...this.#options.table.allRemote()].sort(
      (a, b) =>
        b.groupPriorityMinimum - a.groupPriorityMinimum ||
        b.versionPriority - a.versionPriority ||
        (a.name < b.name ? -1 : 1),
    );
    const keys = new Set<string>();
    return all.filter((apiService) => {
      const key = serverKey(apiService);
      return !keys.has(key) && keys.add(key);
    });
  }

  #forgetUnused(): void {
    const used = new Set(this.#inOrder().map(serverKey));
    for (const key of this.#documents.keys()) {
      if (!used.has(key)) {
        this.#documents.delete(key);
        this.#changes++;
      }
    }
  }
}

function documentOf(status: number, body: Buffer): JsonObject {
  if (status !== 200) {
    throw new Error(`the server answered ${status}`);
  }
  const document = JSON.parse(body.toString("utf8")) as JsonValue;
  if (!isJsonObject(document)) {
    throw new Error("the answer is not an object");
  }
  return document;
}

function isSameMap(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  return a.size === b.size && [...a].every(([key, value]) => b.get(key) === value);
}
