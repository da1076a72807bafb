import { HttpClientError } from "@gatehouse/component-base/errors";
import { createHttpClient, type HttpClient, type HttpRequest, splitLines } from "@gatehouse/component-base/http-client";
import type { ClientConfig } from "@gatehouse/component-base/kubeconfig";
import { decodeJson, parseStoredJson } from "@gatehouse/envelopes/codec";
import { isJsonObject, type JsonObject, type JsonValue, listAt, objectAt, textAt } from "@gatehouse/envelopes/json";
import { groupVersionOf, kindSchema } from "@gatehouse/envelopes/schema";
import { StatusError } from "@gatehouse/envelopes/status";
import { serverProblem } from "../review-webhooks/server-problem.js";

/** A change that a watch reports. The object of a bookmark has a resource version and nothing else. */
export interface FrontEvent {
  readonly type: string;
  readonly object: JsonObject;
}

/** The time limit of a request in milliseconds, as for reviews in v1.29. */
const requestTimeoutMs = 10_000;
/** The time limit of one page of a list in milliseconds. */
const listTimeoutMs = 60_000;
const pageSize = 500;
const maxPageBytes = 64 * 1024 * 1024;
/** The shortest time in seconds for which a watch is asked for, as in client-go; it may be twice as long. */
const minWatchSeconds = 300;

/**
 * A client of the API server in front. Every method rejects with a StatusError when the server refuses the request, and
 * with an HttpClientError when it cannot be reached.
 */
export class FrontClient implements Disposable {
  readonly #client: HttpClient;

  constructor(config: ClientConfig, userAgent: string) {
    this.#client = createHttpClient({ config, userAgent });
  }

  /** Reads a document: an object, or one of discovery. */
  get(path: string, signal: AbortSignal, timeoutMs = requestTimeoutMs): Promise<JsonObject> {
    return this.#documentOf({ path, headers: { accept: "application/json" }, signal, timeoutMs });
  }

  /** Reads the metadata of an object, and nothing else of it. */
  getMetadata(path: string, signal: AbortSignal, timeoutMs = requestTimeoutMs): Promise<JsonObject> {
    const accept = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";
    return this.#documentOf({ path, headers: { accept }, signal, timeoutMs });
  }

  /** Writes a document: creates or replaces an object, or deletes one with options. Resolves to the answer. */
  write(method: "POST" | "PUT" | "DELETE", path: string, body: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    return this.#documentOf({
      method,
      path,
      headers: { accept: "application/json", "content-type": "application/json" },
      body: JSON.stringify(body),
      signal,
      timeoutMs: requestTimeoutMs,
    });
  }

  async #documentOf(request: HttpRequest): Promise<JsonObject> {
    const { status, headers, body } = await this.#client.request({ ...request, maxResponseBytes: maxPageBytes });
    if (status !== 200 && status !== 201) {
      throw refusalOf(status, String(headers["content-type"] ?? ""), body);
    }
    return documentOf(body);
  }

  /**
   * Lists a collection page by page, in smaller ones where objects are large, and calls `onItem` with each object. Resolves
   * to the resource version of the list. `selector` is a query such as `fieldSelector=...`, or empty.
   */
  async list(
    path: string,
    selector: string,
    onItem: (object: JsonObject) => void,
    signal: AbortSignal,
  ): Promise<string> {
    let limit = pageSize;
    for (let token = ""; ; ) {
      const query = [`limit=${limit}`, selector, token && `continue=${encodeURIComponent(token)}`].filter(Boolean);
      const page = await this.#pageOf(`${path}?${query.join("&")}`, signal);
      if (page === undefined) {
        if (limit === 1) {
          throw new HttpClientError("too-large", "the API server in front has an object that is too large to be read");
        }
        limit = Math.max(1, Math.floor(limit / 4));
        continue;
      }
      const gvk = { apiVersion: textAt(page, "apiVersion"), kind: textAt(page, "kind").replace(/List$/, "") };
      for (const item of listAt(page, "items")) {
        if (isJsonObject(item)) {
          onItem(typed({ ...gvk, ...item }));
        }
      }
      token = textAt(page, "metadata", "continue");
      if (token === "") {
        return textAt(page, "metadata", "resourceVersion");
      }
    }
  }

  /** Reads a page of a list; undefined when it is larger than is taken. */
  async #pageOf(path: string, signal: AbortSignal): Promise<JsonObject | undefined> {
    try {
      return await this.get(path, signal, listTimeoutMs);
    } catch (error) {
      if (error instanceof HttpClientError && error.failure === "too-large") {
        return undefined;
      }
      throw error;
    }
  }

  /** Watches a collection from a resource version until the server ends the watch or the signal aborts. */
  async watch(
    path: string,
    selector: string,
    resourceVersion: string,
    onEvent: (event: FrontEvent) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const seconds = Math.round(minWatchSeconds * (1 + Math.random()));
    const query = [
      `watch=true&allowWatchBookmarks=true&timeoutSeconds=${seconds}`,
      `resourceVersion=${encodeURIComponent(resourceVersion)}`,
      selector,
    ].filter(Boolean);
    const { status, headers, body } = await this.#client.request({
      path: `${path}?${query.join("&")}`,
      headers: { accept: "application/json" },
      signal,
      timeoutMs: (seconds + 30) * 1000,
      onBody: splitLines((line) => onEvent(eventOf(line))),
    });
    if (status !== 200) {
      throw refusalOf(status, String(headers["content-type"] ?? ""), body);
    }
  }

  [Symbol.dispose](): void {
    this.#client[Symbol.dispose]();
  }
}

function documentOf(body: Buffer): JsonObject {
  const value = parseStoredJson(body.toString());
  if (!isJsonObject(value)) {
    throw new HttpClientError("protocol", "the API server in front has answered without an object");
  }
  return value;
}

function eventOf(line: string): FrontEvent {
  const value = parseStoredJson(line);
  const [type, object] = [textAt(value, "type"), objectAt(value, "object")];
  return { type, object: type === "ERROR" || type === "BOOKMARK" ? object : typed(object) };
}

/** Reads an object of a kind of v1.29 as such a kind; any other is taken as it is. */
function typed(object: JsonObject): JsonObject {
  const apiVersion = textAt(object, "apiVersion");
  const { group, version } = groupVersionOf(apiVersion);
  const schema = kindSchema(group, version, textAt(object, "kind"))?.schema;
  return schema === undefined ? object : decodeJson(schema, object).object;
}

function refusalOf(status: number, contentType: string, body: Buffer): StatusError {
  const { code, message } = serverProblem(status, contentType, body);
  return new StatusError(code, textAt(parsed(body), "reason"), message);
}

function parsed(body: Buffer): JsonValue | undefined {
  try {
    return parseStoredJson(body.toString());
  } catch {
    return undefined;
  }
}
