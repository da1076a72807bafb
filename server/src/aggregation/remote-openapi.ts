import { WorkQueue } from "@gatehouse/apiserver/client";
import type { ForeignSpec } from "@gatehouse/apiserver/discovery";
import { openapi3OfSwagger, readForeignSpec } from "@gatehouse/apiserver/openapi";
import { isJsonObject, type JsonObject, type JsonValue, objectAt, textAt } from "@gatehouse/envelopes/json";
import { type RemoteApiService, serverKey } from "./api-service.js";
import type { ApiServiceTable } from "./api-service-table.js";
import type { Backends } from "./backends.js";

/** Dependencies of RemoteOpenApi. */
export interface RemoteOpenApiOptions {
  readonly table: ApiServiceTable;
  readonly backends: Pick<Backends, "request">;
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
  /** The Swagger 2.0 document as OpenAPI 3.0; undefined if the server has none, or has documents of version 3 itself. */
  readonly converted: JsonObject | undefined;
  /** URLs of OpenAPI 3.0 documents by id; undefined for a server that has none. */
  readonly urls: ReadonlyMap<string, string> | undefined;
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

  /** The documents, by id, that were made of Swagger 2.0: for each APIService of the server the whole, as in v1.29. */
  converted(): ReadonlyMap<string, JsonObject> {
    const found = new Map<string, JsonObject>();
    for (const apiService of this.#options.table.allRemote()) {
      const converted = this.#documents.get(serverKey(apiService))?.converted;
      if (converted !== undefined) {
        found.set(`apis/${apiService.group}/${apiService.version}`, converted);
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
    const urls = await this.#readIndex(apiService);
    const documents = await this.#readSwagger(apiService, before, urls);
    if (documents !== before) {
      this.#documents.set(key, documents);
      this.#changes++;
      this.#forgetUnused();
    }
    return { afterMs: intervalMs };
  }

  async #readIndex(apiService: RemoteApiService): Promise<ReadonlyMap<string, string> | undefined> {
    const { status, body } = await this.#get(apiService, "/openapi/v3", {});
    if (status === 404) {
      return undefined;
    }
    const paths = objectAt(documentOf(status, body), "paths");
    return new Map(Object.entries(paths).map(([id, item]) => [id, textAt(item, "serverRelativeURL")]));
  }

  /** Reads the Swagger 2.0 document, and converts it for a server without `urls`. Returns `before` if nothing has changed. */
  async #readSwagger(
    apiService: RemoteApiService,
    before: ServerDocuments | undefined,
    urls: ServerDocuments["urls"],
  ): Promise<ServerDocuments> {
    const isSameIndex = before !== undefined && isSameMap(before.urls, urls);
    const mayBeKept = before !== undefined && before.etag !== "" && (isSameIndex || urls !== undefined);
    const { status, body, headers } = await this.#get(apiService, "/openapi/v2", {
      accept: "application/json",
      ...(mayBeKept ? { "if-none-match": before.etag } : {}),
    });
    if (mayBeKept && status === 304) {
      return isSameIndex ? before : { ...before, urls, converted: undefined };
    }
    const etag = String(headers["etag"] ?? "");
    if (status === 404) {
      const isSame = isSameIndex && before.spec === undefined;
      return isSame ? before : { spec: undefined, etag, urls, converted: undefined };
    }
    const document = documentOf(status, body);
    const converted = urls === undefined ? openapi3OfSwagger(document) : undefined;
    return { spec: readForeignSpec(document), etag, urls, converted };
  }

  #get(apiService: RemoteApiService, path: string, headers: Readonly<Record<string, string>>) {
    const { backends, signal } = this.#options;
    return backends.request(apiService, { path, user, headers, timeoutMs, maxResponseBytes, signal });
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

type Urls = ServerDocuments["urls"];

function isSameMap(a: Urls, b: Urls): boolean {
  return a === undefined || b === undefined
    ? a === b
    : a.size === b.size && [...a].every(([key, value]) => b.get(key) === value);
}
