import type { ClientResource } from "@gatehouse/apiserver/client";
import { isJsonObject, type JsonObject, listAt, textAt } from "@gatehouse/envelopes/json";
import type { ApiServiceTable } from "./api-service-table.js";
import type { Backends } from "./backends.js";
import { objectIn } from "./object-in.js";
import type { RemoteDiscovery } from "./remote-discovery.js";
import { remoteResources } from "./remote-kinds.js";

/** A resource of another server whose objects are in namespaces and can be deleted. */
export interface RemoteResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

/** The resources of other servers, as far as they are known. */
export interface RemoteResources {
  /** Each resource in one version, that of the highest priority. */
  readonly known: readonly RemoteResource[];
  /** Group versions (`GROUP/VERSION`) whose server could not be asked, in order. */
  readonly failing: readonly string[];
}

/** Objects of other servers, for controllers that go through all kinds. */
export interface RemoteObjects {
  resources(): RemoteResources;
  /** Resolves to the metadata of the objects in a namespace. Rejects with the reason of a failure. */
  list(resource: RemoteResource, namespace: string): Promise<readonly JsonObject[]>;
  /** Deletes the objects of a namespace in the background. Rejects with the reason of a failure. */
  deleteAll(resource: RemoteResource, namespace: string): Promise<void>;
}

/** The objects of other servers where there are none. */
export const noRemoteObjects: RemoteObjects = {
  resources: () => ({ known: [], failing: [] }),
  list: async () => [],
  async deleteAll() {},
};

/** Dependencies of `remoteObjects`. */
export interface RemoteObjectsOptions {
  readonly table: ApiServiceTable;
  readonly discovery: Pick<RemoteDiscovery, "of">;
  readonly backends: Pick<Backends, "request">;
  /** The user in whose name objects are read and deleted. */
  readonly user: { readonly username: string; readonly group: string };
  readonly signal: AbortSignal;
}

const timeoutMs = 60_000;
const maxResponseBytes = 16 * 1024 * 1024;
const metadataOnly = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";

/** Returns the objects of the servers behind APIServices. */
export function remoteObjects(options: RemoteObjectsOptions): RemoteObjects {
  const { table, backends, user, signal } = options;
  const call = async (resource: RemoteResource, namespace: string, method: string): Promise<JsonObject> => {
    const { group, version } = resource;
    const apiService = table.remote(`${version}.${group}`);
    if (apiService === undefined) {
      throw new Error(`the APIService of ${group}/${version} is gone`);
    }
    const path = `/apis/${group}/${version}/namespaces/${encodeURIComponent(namespace)}/${resource.resource}`;
    const { status, body } = await backends.request(apiService, {
      method,
      path: method === "DELETE" ? `${path}?propagationPolicy=Background` : path,
      user,
      headers: { accept: metadataOnly },
      timeoutMs,
      maxResponseBytes,
      signal,
    });
    const answer = objectIn(body);
    if (status < 200 || status > 299) {
      throw new Error(textAt(answer, "message") || `${method} ${path}: the server answered ${status}`);
    }
    return answer;
  };
  return {
    resources: () => resourcesOf(options),
    list: async (resource, namespace) =>
      listAt(await call(resource, namespace, "GET"), "items").filter((item) => isJsonObject(item)),
    async deleteAll(resource, namespace) {
      await call(resource, namespace, "DELETE");
    },
  };
}

function resourcesOf({ table, discovery }: RemoteObjectsOptions): RemoteResources {
  const failing = [...table.allRemote()]
    .filter(({ name }) => discovery.of(name)?.isCurrent !== true)
    .map(({ group, version }) => `${group}/${version}`);
  return { known: remoteResources({ table, discovery }, isSwept), failing: failing.sort() };
}

function isSwept({ namespaced, verbs }: ClientResource): boolean {
  return namespaced && verbs.includes("list") && verbs.includes("deletecollection");
}
