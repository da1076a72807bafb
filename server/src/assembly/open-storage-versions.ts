import type { ResourceDefinition } from "@gatehouse/apiserver/registry";
import type { Filter } from "@gatehouse/apiserver/server";
import { mediaTypes } from "@gatehouse/envelopes/names";
import type { ServerConfig } from "../options/server-config.js";
import { awaitRegistration } from "../storage-versions/await-registration.js";
import { StorageVersionRegistrations } from "../storage-versions/registrations.js";
import { type StoredResource, storedResources } from "../storage-versions/stored-resources.js";
import { openMilestones } from "../workers/milestones.js";
import type { WorkerGroup } from "../workers/worker-group.js";
import { storedValues } from "./stored-values.js";

/** The resources whose storage versions this server registers, and how far it has come with that. */
export interface StorageVersions {
  readonly resources: readonly StoredResource[];
  /** The progress, as all workers know it. */
  readonly registrations: StorageVersionRegistrations;
  /** Refuses writes to resources that are not registered yet. */
  readonly filter: Filter;
  /** Called in the worker that has registered a resource. */
  readonly onRegistered: (resource: StoredResource) => void;
  /** Called in the worker that has failed to. */
  readonly onFailed: (resource: StoredResource, error: Error) => void;
}

/**
 * Opens the registration of storage versions; undefined where the features for that are off. All workers are one server
 * with one identity: one of them registers the resources, and the others learn of each that is done.
 */
export function openStorageVersions(
  config: Pick<ServerConfig, "etcd" | "featureGates" | "serviceRanges" | "storageMediaType">,
  definitions: Iterable<ResourceDefinition>,
  workers: Pick<WorkerGroup, "announce" | "onFact"> | undefined,
): StorageVersions | undefined {
  const { featureGates } = config;
  if (!featureGates.enabled("StorageVersionAPI") || !featureGates.enabled("APIServerIdentity")) {
    return undefined;
  }
  const { mediaType = mediaTypes.json, isShared = false } = storedValues(config);
  const resources = storedResources(definitions, { mediaType, isShared });
  const registrations = new StorageVersionRegistrations(resources);
  const done = Object.fromEntries(
    resources.map(({ name }) => [factOf(name), () => registrations.succeeded(name)] as const),
  );
  const milestones = openMilestones(workers, done);
  return {
    resources,
    registrations,
    filter: awaitRegistration(registrations),
    onRegistered({ name }) {
      if (!registrations.isRegistered(name)) {
        milestones.reach(factOf(name));
      }
    },
    onFailed: ({ name }, error) => registrations.failed(name, error),
  };
}

function factOf(name: string): string {
  return `storage version of ${name}`;
}
