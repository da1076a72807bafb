import { apiVersionOf, groupResourceText } from "@gatehouse/envelopes";
import type { ServerConfig } from "../config.js";
import { ResourceCache } from "../storage/cache/resource-cache.js";
import type { StoreFeed } from "../storage/cache/store-feed.js";
import type { Store } from "../storage/store.js";
import type { ResourceDefinition, StorageLocation } from "./resource-definition.js";
import { ResourceStorage } from "./resource-storage.js";
import { ServedResource } from "./served-resource.js";
import type { WriteTransactions } from "./write-transactions.js";

/** The definitions that this configuration serves, gates and `--runtime-config` considered. */
export function selectDefinitions(
  definitions: readonly ResourceDefinition[],
  config: Pick<ServerConfig, "runtimeConfig" | "featureGates">,
): readonly ResourceDefinition[] {
  return definitions.filter(
    (definition) =>
      !laterResources.has(definition.resource) &&
      (definition.gate === undefined || config.featureGates.enabled(definition.gate)) &&
      config.runtimeConfig.serves(apiVersionOf(definition), definition.resource, definition.servedByDefault),
  );
}

/** Reviews are questions to authenticators and authorizers, which come with a later part. */
const laterResources = new Set([
  "localsubjectaccessreviews",
  "selfsubjectaccessreviews",
  "selfsubjectreviews",
  "selfsubjectrulesreviews",
  "subjectaccessreviews",
  "tokenreviews",
]);

export interface OpenResourcesOptions {
  readonly store: Store;
  readonly feed: StoreFeed;
  readonly keyPrefix: string;
  /** By resource, `services` or `deployments.apps`. */
  readonly transactions?: ReadonlyMap<string, WriteTransactions>;
}

/** Opens what every definition is stored in; versions of one kind share their storage. */
export function openResources(
  definitions: readonly ResourceDefinition[],
  options: OpenResourcesOptions,
): readonly ServedResource[] {
  const byPrefix = new Map<string, ResourceStorage>();
  const open = (definition: ResourceDefinition, location: StorageLocation): ResourceStorage => {
    const prefix = `${options.keyPrefix}${location.prefix}/`;
    let storage = byPrefix.get(prefix);
    if (storage === undefined) {
      const { store, feed } = options;
      storage = new ResourceStorage({
        store,
        feed,
        prefix,
        namespaced: definition.namespaced,
        location,
        cache: new ResourceCache({ store, feed, prefix }),
      });
      byPrefix.set(prefix, storage);
    }
    return storage;
  };
  return definitions.map(
    (definition) =>
      new ServedResource(
        definition,
        definition.storage === undefined ? undefined : open(definition, definition.storage),
        options.transactions?.get(groupResourceText(definition)),
      ),
  );
}
