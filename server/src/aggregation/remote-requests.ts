import type { OwnWrite, RecordOwnWrite } from "@gatehouse/apiserver/request";
import { splitLines } from "@gatehouse/component-base/http-client";
import { isJsonObject, type JsonObject, listAt, objectAt, textAt } from "@gatehouse/envelopes/json";
import { StatusError } from "@gatehouse/envelopes/status";
import type { RemoteApiService } from "./api-service.js";
import type { ApiServiceTable } from "./api-service-table.js";
import type { Backends } from "./backends.js";
import { objectIn } from "./object-in.js";
import { RemoteServerError } from "./remote-server-error.js";

/** A resource of another server, in one version. */
export interface RemoteResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

/** The controller that sends requests, and what its writes need. */
export interface ActingController {
  /** The name of its service account in kube-system. */
  readonly name: string;
  /** The user agent under which the audit log records its writes. */
  readonly agent: string;
  /** Throws when the controller must not write any more. */
  readonly assertMayWrite: () => void;
  /** Records its writes in the audit log of this server; absent if there is none. */
  readonly recordOwnWrite?: RecordOwnWrite | undefined;
}

/** Dependencies of RemoteRequests. */
export interface RemoteRequestsOptions {
  readonly table: Pick<ApiServiceTable, "remote">;
  readonly backends: Pick<Backends, "request">;
  readonly controller: ActingController;
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
  /** The time in milliseconds for the answer. Default 15 s. */
  readonly timeoutMs?: number;
}

interface RemoteAnswer {
  readonly status: number;
  readonly body: JsonObject;
}

/** A write as it is sent, and as the audit log records it. */
interface SentWrite extends SentRequest, Pick<OwnWrite, "verb" | "namespace" | "name"> {}

const defaultTimeoutMs = 15_000;
/** The limit for a deletion of all objects in a namespace, as long as v1.29 lets a request of a client last. */
const collectionTimeoutMs = 60_000;
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

  /** Lists the objects of a namespace page by page; of all namespaces where it is empty. */
  async list(
    resource: RemoteResource,
    namespace: string,
    signal: AbortSignal,
  ): Promise<{ readonly items: readonly JsonObject[]; readonly resourceVersion: string }> {
    const items: JsonObject[] = [];
    for (let token = ""; ; ) {
      const query = `?limit=${pageSize}${token && `&continue=${encodeURIComponent(token)}`}`;
      const asked = { method: "GET", path: pathOf(resource, namespace) + query, kind: "PartialObjectMetadataList" };
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
      user: userOf(this.#options.controller),
      headers: { accept: acceptMetadata("PartialObjectMetadata") },
      timeoutMs: (seconds + 30) * 1000,
      maxResponseBytes,
      onBody: splitLines((line) => {
        const event = objectIn(line);
        onEvent({ type: textAt(event, "type"), object: objectAt(event, "object") });
      }),
      signal,
    });
    assertSuccess({ status, body: objectIn(body) }, { method: "GET", path });
  }

  /** Applies a JSON merge patch. */
  async patch(
    resource: RemoteResource,
    { namespace, name }: { readonly namespace: string; readonly name: string },
    patch: JsonObject,
    signal: AbortSignal,
  ): Promise<void> {
    const content = { type: "application/merge-patch+json", body: patch };
    const path = pathOf(resource, namespace, name);
    await this.#write(resource, { verb: "patch", method: "PATCH", namespace, name, path, content }, signal);
  }

  /** Deletes an object with the given DeleteOptions. */
  async delete(
    resource: RemoteResource,
    { namespace, name }: { readonly namespace: string; readonly name: string },
    options: JsonObject,
    signal: AbortSignal,
  ): Promise<void> {
    const content = { type: "application/json", body: { kind: "DeleteOptions", apiVersion: "v1", ...options } };
    const path = pathOf(resource, namespace, name);
    await this.#write(resource, { verb: "delete", method: "DELETE", namespace, name, path, content }, signal);
  }

  /** Deletes all objects of a namespace in the background. */
  async deleteAll(resource: RemoteResource, namespace: string, signal: AbortSignal): Promise<void> {
    const path = `${pathOf(resource, namespace)}?propagationPolicy=Background`;
    const kind = "PartialObjectMetadataList";
    const sent = { method: "DELETE", namespace, name: "", path, kind, timeoutMs: collectionTimeoutMs };
    await this.#write(resource, { verb: "delete", ...sent }, signal);
  }

  /** Sends a write and records it as v1.29 records what is passed on to another server: its outcome, and no body. */
  async #write(resource: RemoteResource, write: SentWrite, signal: AbortSignal): Promise<void> {
    const { name: controller, agent, assertMayWrite, recordOwnWrite } = this.#options.controller;
    const { verb, namespace, name } = write;
    assertMayWrite();
    const { group, version } = resource;
    const target = { group, version, resource: resource.resource, subresource: "", namespace, name };
    const audit = recordOwnWrite?.({ controller, agent, verb, ...target });
    await audit?.begin(undefined);
    // The answer of the front for a server that cannot be asked.
    let code = 503;
    try {
      const answer = await this.#ask(resource, write, signal);
      code = answer.status;
      assertSuccess(answer, write);
    } finally {
      await audit?.end(code, undefined);
    }
  }

  async #send(resource: RemoteResource, request: SentRequest, signal: AbortSignal): Promise<JsonObject> {
    const answer = await this.#ask(resource, request, signal);
    assertSuccess(answer, request);
    return answer.body;
  }

  async #ask(
    resource: RemoteResource,
    { method, path, kind = "PartialObjectMetadata", content, timeoutMs = defaultTimeoutMs }: SentRequest,
    signal: AbortSignal,
  ): Promise<RemoteAnswer> {
    const { status, body } = await this.#options.backends.request(this.#availableServer(resource), {
      method,
      path,
      user: userOf(this.#options.controller),
      headers: {
        accept: acceptMetadata(kind),
        ...(content === undefined ? {} : { "content-type": content.type }),
      },
      ...(content === undefined ? {} : { body: JSON.stringify(content.body) }),
      timeoutMs,
      maxResponseBytes,
      signal,
    });
    return { status, body: objectIn(body) };
  }

  /** Returns the server of a resource. Throws while it is not available, as requests of clients get 503 then. */
  #availableServer({ group, version }: RemoteResource): RemoteApiService {
    const apiService = this.#options.table.remote(`${version}.${group}`);
    if (apiService === undefined) {
      throw new RemoteServerError(`the APIService of ${group}/${version} is gone`);
    }
    if (!apiService.isAvailable) {
      throw new RemoteServerError(`the server of ${group}/${version} is not available`);
    }
    return apiService;
  }
}

function userOf({ name }: ActingController): { readonly username: string; readonly group: string } {
  return { username: `system:serviceaccount:kube-system:${name}`, group: "system:serviceaccounts" };
}

function acceptMetadata(kind: string): string {
  return `application/json;as=${kind};g=meta.k8s.io;v=v1,application/json`;
}

function pathOf({ group, version, resource }: RemoteResource, namespace = "", name = ""): string {
  const within = namespace === "" ? "" : `/namespaces/${encodeURIComponent(namespace)}`;
  return `/apis/${group}/${version}${within}/${resource}${name && `/${encodeURIComponent(name)}`}`;
}

function assertSuccess({ status, body }: RemoteAnswer, { method, path }: SentRequest): void {
  if (status >= 200 && status <= 299) {
    return;
  }
  if (textAt(body, "kind") === "Status") {
    throw new StatusError(status, textAt(body, "reason"), textAt(body, "message"));
  }
  throw new RemoteServerError(`${method} ${path}: the server answered ${status}`);
}
