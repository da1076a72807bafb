import type { ClientResource } from "@gatehouse/apiserver/client";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { type RemoteKindsSource, remoteResources } from "./remote-kinds.js";
import type { RemoteRequests, RemoteResource } from "./remote-requests.js";

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
export interface RemoteObjectsOptions extends RemoteKindsSource {
  readonly requests: Pick<RemoteRequests, "list" | "deleteAll">;
  readonly signal: AbortSignal;
}

/** Returns the objects of the servers behind APIServices. */
export function remoteObjects(options: RemoteObjectsOptions): RemoteObjects {
  const { requests, signal } = options;
  return {
    resources: () => resourcesOf(options),
    list: async (resource, namespace) => (await requests.list(resource, namespace, signal)).items,
    deleteAll: (resource, namespace) => requests.deleteAll(resource, namespace, signal),
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
