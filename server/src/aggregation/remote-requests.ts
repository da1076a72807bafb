import { splitLines } from "@gatehouse/component-base/http-client";
import { isJsonObject, type JsonObject, listAt, objectAt, textAt } from "@gatehouse/envelopes/json";
import { StatusError } from "@gatehouse/envelopes/status";
import type { RemoteApiService } from "./api-service.js";
import type { ApiServiceTable } from "./api-service-table.js";
import type { Backends } from "./backends.js";
import { objectIn } from "./object-in.js";
import type { RemoteResource } from "./remote-objects.js";

/** Dependencies of RemoteRequests. */
export interface RemoteRequestsOptions {
  readonly table: Pick<ApiServiceTable, "remote">;
  readonly backends: Pick<Backends, "request">;
  /** The user in whose name requests are sent. */
  readonly user: { readonly username: string; readonly group: string };
}

/** An event of a watch. The object has metadata only, where the server behind supports that. */
export interface RemoteEvent {
  readonly type: string;
  readonly object: JsonObject;
}

interface SentRequest {
  readonly method: string;
  readonly path: string;
  /** The kind in which the answer is asked for. Default PartialObjectMetadata. */
  readonly kind?: string;
  readonly content?: { readonly type: string; readonly body: JsonObject };
}

const timeoutMs = 15_000;
const maxResponseBytes = 16 * 1024 * 1024;
const pageSize = 500;
/** The shortest time in seconds for which a watch is asked for, as in client-go; it may be twice as long. */
const minWatchSeconds = 300;

/**
 * Requests for the metadata of objects of other servers. Each rejects with a StatusError where the server has answered
 * with a Status, with another error where it cannot be asked. A 404 that is not a Status tells nothing about an object.
 */
export class RemoteRequests {
  readonly #options: RemoteRequestsOptions;

  constructor(options: RemoteRequestsOptions) {
    this.#options = options;
  }

  get(resource: RemoteResource, namespace: string, name: string, signal: AbortSignal): Promise<JsonObject> {
    return this.#send(resource, { method: "GET", path: pathOf(resource, namespace, name) }, signal);
  }

  /** Lists the objects of all namespaces page by page. */
  async list(
    resource: RemoteResource,
    signal: AbortSignal,
  ): Promise<{ readonly items: readonly JsonObject[]; readonly resourceVersion: string }> {
    const items: JsonObject[] = [];
    for (let token = ""; ; ) {
      const query = `?limit=${pageSize}${token && `&continue=${encodeURIComponent(token)}`}`;
      const asked = { method: "GET", path: pathOf(resource) + query, kind: "PartialObjectMetadataList" };
      const page = await this.#send(resource, asked, signal);
      for (const item of listAt(page, "items").filter(isJsonObject)) {
        items.push(item);
      }
      token = textAt(page, "metadata", "continue");
      if (token === "") {
        return { items, resourceVersion: textAt(page, "metadata", "resourceVersion") };
      }
    }
  }

  /** Watches the objects of all namespaces until the server ends the watch or the signal aborts. */
  async watch(
    resource: RemoteResource,
    resourceVersion: string,
    onEvent: (event: RemoteEvent) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const seconds = Math.round(minWatchSeconds * (1 + Math.random()));
    const query = `?watch=true&timeoutSeconds=${seconds}&resourceVersion=${encodeURIComponent(resourceVersion)}`;
    const path = pathOf(resource) + query;
    const { status, body } = await this.#options.backends.request(this.#availableServer(resource), {
      path,
      user: this.#options.user,
      headers: { accept: acceptMetadata("PartialObjectMetadata") },
      timeoutMs: (seconds + 30) * 1000,
      maxResponseBytes,
      onBody: splitLines((line) => {
        const event = objectIn(line);
        onEvent({ type: textAt(event, "type"), object: objectAt(event, "object") });
      }),
      signal,
    });
    assertSuccess(status, objectIn(body), `GET ${path}`);
  }

  /** Applies a JSON merge patch. */
  async patch(
    resource: RemoteResource,
    { namespace, name }: { readonly namespace: string; readonly name: string },
    patch: JsonObject,
    signal: AbortSignal,
  ): Promise<void> {
    const content = { type: "application/merge-patch+json", body: patch };
    await this.#send(resource, { method: "PATCH", path: pathOf(resource, namespace, name), content }, signal);
  }

  /** Deletes an object with the given DeleteOptions. */
  async delete(
    resource: RemoteResource,
    { namespace, name }: { readonly namespace: string; readonly name: string },
    options: JsonObject,
    signal: AbortSignal,
  ): Promise<void> {
    const content = { type: "application/json", body: { kind: "DeleteOptions", apiVersion: "v1", ...options } };
    await this.#send(resource, { method: "DELETE", path: pathOf(resource, namespace, name), content }, signal);
  }

  async #send(
    resource: RemoteResource,
    { method, path, kind = "PartialObjectMetadata", content }: SentRequest,
    signal: AbortSignal,
  ): Promise<JsonObject> {
    const { status, body } = await this.#options.backends.request(this.#availableServer(resource), {
      method,
      path,
      user: this.#options.user,
      headers: {
        accept: acceptMetadata(kind),
        ...(content === undefined ? {} : { "content-type": content.type }),
      },
      ...(content === undefined ? {} : { body: JSON.stringify(content.body) }),
      timeoutMs,
      maxResponseBytes,
      signal,
    });
    const answer = objectIn(body);
    assertSuccess(status, answer, `${method} ${path}`);
    return answer;
  }

  /** Returns the server of a resource. Throws while it is not available, as requests of clients get 503 then. */
  #availableServer({ group, version }: RemoteResource): RemoteApiService {
    const apiService = this.#options.table.remote(`${version}.${group}`);
    if (apiService === undefined) {
      throw new Error(`the APIService of ${group}/${version} is gone`);
    }
    if (!apiService.isAvailable) {
      throw new Error(`the server of ${group}/${version} is not available`);
    }
    return apiService;
  }
}

function acceptMetadata(kind: string): string {
  return `application/json;as=${kind};g=meta.k8s.io;v=v1,application/json`;
}

function pathOf({ group, version, resource }: RemoteResource, namespace = "", name = ""): string {
  const within = namespace === "" ? "" : `/namespaces/${encodeURIComponent(namespace)}`;
  return `/apis/${group}/${version}${within}/${resource}${name && `/${encodeURIComponent(name)}`}`;
}

function assertSuccess(status: number, answer: JsonObject, request: string): void {
  if (status >= 200 && status <= 299) {
    return;
  }
  if (textAt(answer, "kind") === "Status") {
    throw new StatusError(status, textAt(answer, "reason"), textAt(answer, "message"));
  }
  throw new Error(`${request}: the server answered ${status}`);
}
