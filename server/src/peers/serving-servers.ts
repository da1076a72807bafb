import type { ObjectFollower } from "@gatehouse/apiserver/authorization";
import { type JsonObject, listAt, textAt, textsAt } from "@gatehouse/envelopes/json";
import { storageVersionName } from "../storage-versions/stored-resources.js";

/** A resource in a version, as paths name it. */
export interface VersionedResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

/** The API servers that serve each version of a resource, as they tell it in StorageVersions. */
export class ServingServers implements ObjectFollower {
  /** Identities of servers by what they serve: the name of the StorageVersion, and the version. */
  readonly #byName = new Map<string, ReadonlyMap<string, ReadonlySet<string>>>();

  /** Returns the identities of the servers of a resource; undefined when no StorageVersion tells of it. */
  of({ group, version, resource }: VersionedResource): ReadonlySet<string> | undefined {
    return this.#byName.get(storageVersionName(group, resource))?.get(version);
  }

  present(_namespace: string, name: string, object: JsonObject): void {
    const byVersion = new Map<string, Set<string>>();
    for (const server of listAt(object, "status", "storageVersions")) {
      const id = textAt(server, "apiServerID");
      for (const apiVersion of textsAt(server, "servedVersions")) {
        const version = apiVersion.slice(apiVersion.indexOf("/") + 1);
        const known = byVersion.get(version);
        if (known === undefined) {
          byVersion.set(version, new Set([id]));
        } else {
          known.add(id);
        }
      }
    }
    this.#byName.set(name, byVersion);
  }

  gone(_namespace: string, name: string): void {
    this.#byName.delete(name);
  }
}
