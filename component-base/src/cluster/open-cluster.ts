import { delimiter } from "node:path";
import { isJsonObject, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";
import { StatusError } from "@gatehouse/envelopes/status";
import { ConfigurationError, HttpClientError } from "../errors.js";
import { createHttpClient, splitLines } from "../http-client/index.js";
import { type ClientConfig, inClusterConfig, loadKubeconfig } from "../kubeconfig/index.js";
import { problemAt } from "../problems/index.js";
import { version } from "../version.js";

/** Options of `openCluster()`. */
export interface OpenClusterOptions {
  /** The name of the program: its user agent, and the field manager of what it applies. */
  readonly program: string;
  /**
   * Path of the kubeconfig. Default: the first of KUBECONFIG in `env`; without that, the service account of the pod.
   */
  readonly kubeconfigFile?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Signal that ends all requests when it aborts. Default: none. */
  readonly signal?: AbortSignal;
}

/** A resource as discovery describes it. */
export interface ClusterResource {
  readonly apiVersion: string;
  /** Plural name of the resource. */
  readonly resource: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/** Name and namespace of an object. Cluster-scoped objects have no namespace. */
export interface ObjectKey {
  readonly namespace?: string;
  readonly name: string;
}

/** A change that a watch reports. */
export interface WatchEvent {
  readonly type: string;
  readonly object: JsonObject;
}

/** The requests that programs send to an API server. All reject with StatusError when it refuses them. */
export interface Cluster extends Disposable {
  /** Applies an object (server-side apply, by force). `fieldManager` is the name of the program by default. */
  apply(object: JsonObject, fieldManager?: string): Promise<JsonObject>;
  /** Deletes an object by its uid; resolves to false when it is gone or another one has its name. */
  remove(object: JsonObject): Promise<boolean>;
  /** Lists the objects of a resource, perhaps by labels, page by page; resolves to the resource version of the list. */
  list(
    resource: ClusterResource,
    onItem: (item: JsonObject) => void,
    signal: AbortSignal,
    labelSelector?: string,
  ): Promise<string>;
  /** Watches a resource from a version until the server ends the watch or the signal aborts. */
  watch(
    resource: ClusterResource,
    resourceVersion: string,
    onEvent: (event: WatchEvent) => void,
    signal: AbortSignal,
  ): Promise<void>;
  /** Reads one object; undefined when there is none of that name. */
  get(apiVersion: string, kind: string, key: ObjectKey): Promise<JsonObject | undefined>;
  /** Finds the resource of a kind in the server's discovery. Rejects with StatusError (404) when it is not served. */
  resourceOf(apiVersion: string, kind: string): Promise<ClusterResource>;
  /**
   * Finds a resource by its plural name in the server's discovery. Rejects with StatusError (404) when it is not
   * served.
   */
  resourceNamed(apiVersion: string, resource: string): Promise<ClusterResource>;
}

const requestTimeoutMs = 30_000;
const pageSize = 500;
const maxPageBytes = 256 * 1024 * 1024;
/** Seconds of a watch; servers end it by themselves after five to ten minutes. */
const watchSeconds = 300;

/** Opens a client of a cluster. Rejects with ConfigurationError when nothing says where the cluster is. */
export async function openCluster(options: OpenClusterOptions): Promise<Cluster> {
  const config = await clientConfigOf(options);
  const client = createHttpClient({ config, userAgent: `${options.program}/${version}` });
  const untilGivenUp = options.signal ?? new AbortController().signal;
  const kinds = new Map<string, Promise<JsonObject>>();

  async function ask(path: string, more: { method?: string; body?: JsonObject; signal?: AbortSignal } = {}) {
    const { method = "GET", body, signal = untilGivenUp } = more;
    const contentType = method === "PATCH" ? "application/apply-patch+yaml" : "application/json";
    const { status, body: bytes } = await client.request({
      method,
      path,
      headers: {
        accept: "application/json",
        ...(body === undefined ? {} : { "content-type": contentType }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal,
      timeoutMs: requestTimeoutMs,
      maxResponseBytes: maxPageBytes,
    });
    const answer = parsed(bytes);
    if (status >= 400 || !isJsonObject(answer)) {
      throw refusalOf(status, answer);
    }
    return answer;
  }

  async function find(apiVersion: string, what: string, wanted: (entry: JsonObject) => boolean) {
    let found = kinds.get(apiVersion);
    if (found === undefined) {
      found = ask(rootOf(apiVersion));
      kinds.set(apiVersion, found);
    }
    const missing = new StatusError(404, "NotFound", `the cluster serves no ${what} of ${apiVersion}`);
    const list = ((await found.catch(insteadOfNotFound(missing)))["resources"] ?? []) as readonly JsonObject[];
    const entry = list.find((candidate) => wanted(candidate) && !String(candidate["name"]).includes("/"));
    if (entry === undefined) {
      throw missing;
    }
    const { name, kind, namespaced } = entry;
    return { apiVersion, resource: String(name), kind: String(kind), namespaced: namespaced === true };
  }
  const resourceOf = (apiVersion: string, kind: string): Promise<ClusterResource> =>
    find(apiVersion, kind, (entry) => entry["kind"] === kind);

  async function pathOfObject(object: JsonObject): Promise<string> {
    const { namespace, name } = object["metadata"] as JsonObject;
    const resource = await resourceOf(String(object["apiVersion"]), String(object["kind"]));
    return `${pathOf(resource, namespace)}/${encodeURIComponent(String(name))}`;
  }

  return {
    resourceOf,
    resourceNamed: (apiVersion, resource) => find(apiVersion, resource, (entry) => entry["name"] === resource),
    async get(apiVersion, kind, { namespace, name }) {
      const path = pathOf(await resourceOf(apiVersion, kind), namespace);
      try {
        return await ask(`${path}/${encodeURIComponent(name)}`);
      } catch (error) {
        if (error instanceof StatusError && error.code === 404) {
          return undefined;
        }
        throw error;
      }
    },
    async apply(object, fieldManager = options.program) {
      const query = `?fieldManager=${encodeURIComponent(fieldManager)}&force=true`;
      return await ask(`${await pathOfObject(object)}${query}`, { method: "PATCH", body: object });
    },
    async remove(object) {
      const { uid } = object["metadata"] as JsonObject;
      try {
        await ask(await pathOfObject(object), { method: "DELETE", body: { preconditions: { uid: uid ?? null } } });
        return true;
      } catch (error) {
        if (error instanceof StatusError && (error.code === 404 || error.code === 409)) {
          return false;
        }
        throw error;
      }
    },
    async list(resource, onItem, signal, labelSelector) {
      const selection = labelSelector === undefined ? "" : `&labelSelector=${encodeURIComponent(labelSelector)}`;
      let token = "";
      for (;;) {
        const query = `?limit=${pageSize}${selection}${token === "" ? "" : `&continue=${encodeURIComponent(token)}`}`;
        const page = await ask(`${pathOf(resource)}${query}`, { signal });
        for (const item of (page["items"] ?? []) as readonly JsonObject[]) {
          onItem(item);
        }
        const metadata = page["metadata"] as JsonObject;
        token = String(metadata["continue"] ?? "");
        if (token === "") {
          return String(metadata["resourceVersion"]);
        }
      }
    },
    async watch(resource, resourceVersion, onEvent, signal) {
      const query = `?watch=true&allowWatchBookmarks=true&timeoutSeconds=${watchSeconds}&resourceVersion=${resourceVersion}`;
      const { status, body } = await client.request({
        path: `${pathOf(resource)}${query}`,
        signal,
        timeoutMs: (watchSeconds + 30) * 1000,
        onBody: splitLines((line) => onEvent(JSON.parse(line) as WatchEvent)),
      });
      if (status !== 200) {
        throw refusalOf(status, parsed(body));
      }
    },
    [Symbol.dispose]() {
      client[Symbol.dispose]();
    },
  };
}

/**
 * Returns a handler that replaces 404: for a group that it does not serve, a server says only that there is no such
 * path.
 */
function insteadOfNotFound(missing: StatusError): (error: unknown) => never {
  return (error) => {
    throw error instanceof StatusError && error.code === 404 ? missing : error;
  };
}

function rootOf(apiVersion: string): string {
  return apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
}

function pathOf({ apiVersion, resource, namespaced }: Omit<ClusterResource, "kind">, namespace?: JsonValue): string {
  const inside = namespaced && typeof namespace === "string" ? `/namespaces/${encodeURIComponent(namespace)}` : "";
  return `${rootOf(apiVersion)}${inside}/${resource}`;
}

function refusalOf(status: number, body: unknown): Error {
  if (isJsonObject(body) && body["kind"] === "Status") {
    return new StatusError(status, String(body["reason"] ?? ""), String(body["message"] ?? ""));
  }
  if (status === 404) {
    return new StatusError(status, "NotFound", "the API server knows no such path");
  }
  return new HttpClientError("protocol", `the API server has answered ${status} without an object`);
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

async function clientConfigOf({ kubeconfigFile, env }: OpenClusterOptions): Promise<ClientConfig> {
  const [fromEnv] = (env["KUBECONFIG"] ?? "").split(delimiter);
  const file = kubeconfigFile ?? fromEnv ?? "";
  if (file !== "") {
    return await loadKubeconfig(file);
  }
  if ((env["KUBERNETES_SERVICE_HOST"] ?? "") === "") {
    throw new ConfigurationError("cluster", [
      problemAt("--kubeconfig", "nothing says where the cluster is: give a file, or set KUBECONFIG"),
    ]);
  }
  return await inClusterConfig(env);
}
