import type { HttpClient, HttpResponse } from "@gatehouse/component-base/http-client";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { nameOf } from "./library-files.js";

/** A user to act for. */
export interface ActingUser {
  readonly username?: string;
  readonly groups?: readonly string[];
}

/** A request; as another user if one is given. */
export interface ObjectRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: JsonObject | undefined;
  readonly user?: ActingUser | undefined;
}

/** An answer, with its body parsed. */
export interface Answer {
  readonly status: number;
  readonly headers: HttpResponse["headers"];
  readonly body: JsonObject;
}

interface KnownResource {
  readonly root: string;
  readonly name: string;
  readonly namespaced: boolean;
}

const signal = new AbortController().signal;

/** A client of an API server for objects of any kind, by the names of resources that the server tells. */
export class ObjectClient {
  readonly #http: HttpClient;
  readonly #resources = new Map<string, readonly JsonObject[]>();

  constructor(http: HttpClient) {
    this.#http = http;
  }

  async send({ method, path, body, user }: ObjectRequest): Promise<Answer> {
    const { username = "", groups = [] } = user ?? {};
    const [group] = groups;
    if (groups.length > 1) {
      throw new Error("users of several groups cannot be acted for: the client sends each header once");
    }
    const answer = await this.#http.request({
      method,
      path,
      headers: {
        ...(body && { "content-type": "application/json" }),
        ...(username && { "impersonate-user": username }),
        ...(group && { "impersonate-group": group }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal,
      timeoutMs: 60_000,
    });
    return { status: answer.status, headers: answer.headers, body: JSON.parse(answer.body.toString() || "{}") };
  }

  /** Sends a request that must be answered with one of the statuses. */
  async must(statuses: readonly number[], request: ObjectRequest): Promise<Answer> {
    const answer = await this.send(request);
    if (!statuses.includes(answer.status)) {
      throw new Error(`${request.method} ${request.path}: ${answer.status} ${answer.body["message"]}`);
    }
    return answer;
  }

  /** Returns the path of the objects of a kind, in the namespace or in `default` if the kind has one. */
  async collectionOf({ apiVersion, kind }: JsonObject, namespace = "default"): Promise<string> {
    const { root, name, namespaced } = await this.#resourceOf(String(apiVersion), String(kind));
    return namespaced ? `${root}/namespaces/${namespace}/${name}` : `${root}/${name}`;
  }

  async #resourceOf(apiVersion: string, kind: string): Promise<KnownResource> {
    const root = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    let resources = this.#resources.get(root);
    if (resources === undefined) {
      resources = (await this.must([200], { method: "GET", path: root })).body["resources"] as JsonObject[];
      this.#resources.set(root, resources);
    }
    const found = resources.find((resource) => resource["kind"] === kind && !String(resource["name"]).includes("/"));
    if (found === undefined) {
      throw new Error(`the server has no kind ${kind} of ${apiVersion}`);
    }
    return { root, name: String(found["name"]), namespaced: found["namespaced"] === true };
  }

  /** Creates an object, or replaces the one that is there. */
  async put(object: JsonObject, namespace?: string, user?: ActingUser): Promise<void> {
    const collection = await this.collectionOf(object, namespace);
    const { status } = await this.must([201, 409], { method: "POST", path: collection, body: object, user });
    if (status === 409) {
      await this.must([200], { method: "PUT", path: `${collection}/${nameOf(object)}`, body: object, user });
    }
  }

  /** Deletes an object, if it is there, at once. */
  async remove(object: JsonObject, namespace?: string, user?: ActingUser): Promise<void> {
    const path = `${await this.collectionOf(object, namespace)}/${nameOf(object)}?gracePeriodSeconds=0`;
    await this.must([200, 202, 404], { method: "DELETE", path, user });
  }
}
