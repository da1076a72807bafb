import { type Controller, type ControllerOptions, reconcile, untilAborted } from "@gatehouse/apiserver/client";
import { serverId } from "@gatehouse/apiserver/server";
import { isSameState } from "@gatehouse/envelopes/go";
import { type JsonObject, listAt, ownObject, textAt } from "@gatehouse/envelopes/json";
import { setCommonEncoding } from "../../storage-versions/common-encoding.js";
import type { StoredResource } from "../../storage-versions/stored-resources.js";
import { storageVersions } from "../core-resources.js";
import { observeLease } from "../leadership/leases.js";

/** The options of the controller that registers storage versions. */
export interface StorageVersionRegistrationOptions extends ControllerOptions {
  readonly resources: readonly StoredResource[];
  /** Returns the time in milliseconds since the epoch. */
  readonly now: () => number;
  /** Called when the versions of a resource have been registered. */
  readonly onRegistered: (resource: StoredResource) => void;
  /** Called when that has failed; it is tried again. */
  readonly onFailed: (resource: StoredResource, error: Error) => void;
}

/** Interval in milliseconds after which an entry is looked at again, in case others have removed it, as in v1.29. */
const againMs = 600_000;
/** The number of resources that are registered at the same time. */
const concurrency = 8;

/**
 * Tells the other servers in which versions this one stores its resources, under the name of its identity lease. It begins
 * when the lease is there: without one, the entries would be collected.
 */
export function storageVersionRegistration(options: StorageVersionRegistrationOptions): Controller {
  const { client, now, onError } = options;
  const id = serverId();
  const byName = new Map(options.resources.map((resource) => [resource.name, resource]));
  const register = async (resource: StoredResource): Promise<void> => {
    const { name } = resource;
    if (client.find(storageVersions) === undefined) {
      throw new Error(
        "the server could not find the requested resource (post storageversions.internal.apiserver.k8s.io)",
      );
    }
    if ((await client.get(storageVersions, "", name)) === undefined) {
      const { apiVersion, kind } = names;
      await client.create(storageVersions, { apiVersion, kind, metadata: { name }, spec: {}, status: {} });
    }
    await client.update(storageVersions, { namespace: "", name, subresource: "status" }, (current) => {
      const revised = structuredClone(current);
      setOwnEntry(revised, id, resource);
      setCommonEncoding(revised, now());
      return isSameState(revised, current) ? undefined : revised;
    });
  };
  return {
    name: "built-in-resources-storage-version-updater",
    async run(signal) {
      if (!(await hasLease(signal))) {
        return;
      }
      await reconcile({
        ...options,
        // v1.29 does this without a queue, and has no metrics of one.
        queueMetrics: undefined,
        signal,
        concurrency,
        initial: [...byName.keys()],
        sources: [],
        async work(name) {
          // Only these keys are ever added.
          const resource = byName.get(name) as StoredResource;
          try {
            await register(resource);
          } catch (error) {
            options.onFailed(resource, error instanceof Error ? error : new Error(String(error)));
            throw error;
          }
          options.onRegistered(resource);
          return { afterMs: againMs };
        },
      });
    },
  };

  /** Resolves to true when the identity lease of this server is there, to false when the signal has aborted. */
  async function hasLease(signal: AbortSignal): Promise<boolean> {
    const seen = new AbortController();
    const ends = AbortSignal.any([signal, seen.signal]);
    const onLease = (lease: JsonObject | undefined): void => {
      if (lease !== undefined) {
        seen.abort();
      }
    };
    await observeLease(client, id, { onLease, onError }, ends);
    await untilAborted(ends);
    return !signal.aborted;
  }
}

const names = { apiVersion: "internal.apiserver.k8s.io/v1alpha1", kind: "StorageVersion" };

/** Sets the entry of a server in a StorageVersion, in its place among the others. */
function setOwnEntry(storageVersion: JsonObject, apiServerID: string, resource: StoredResource): void {
  const { encodingVersion, decodableVersions, servedVersions } = resource;
  const entry = {
    apiServerID,
    encodingVersion,
    decodableVersions: [...decodableVersions],
    servedVersions: [...servedVersions],
  };
  const entries = [...listAt(storageVersion, "status", "storageVersions")];
  const index = entries.findIndex((other) => textAt(other, "apiServerID") === apiServerID);
  entries.splice(index < 0 ? entries.length : index, 1, entry);
  ownObject(storageVersion, "status")["storageVersions"] = entries;
}
