import { apiVersionOf } from "@gatehouse/envelopes/schema";
import { groupResourceText } from "@gatehouse/envelopes/status";
import type { FeatureGates } from "../options/feature-gates.js";
import type { RuntimeConfig } from "../options/runtime-config.js";
import type { ResourceDefinition } from "./resource-definition.js";
import type { ResourceStorages } from "./resource-storages.js";
import { ServedResource } from "./served-resource.js";
import type { WriteTransactions } from "./write-transactions.js";

/** Returns the definitions that this configuration serves, gates and `--runtime-config` considered. */
export function selectDefinitions(
  definitions: readonly ResourceDefinition[],
  config: { readonly runtimeConfig: RuntimeConfig; readonly featureGates: FeatureGates },
): readonly ResourceDefinition[] {
  return definitions.filter(
    (definition) =>
      (definition.gate === undefined || config.featureGates.enabled(definition.gate)) &&
      config.runtimeConfig.serves(apiVersionOf(definition), definition.resource, definition.servedByDefault),
  );
}

/** Options of `openResources`: where the resources are stored, and the transactions of their writes. */
export interface OpenResourcesOptions {
  readonly storages: ResourceStorages;
  /** Transactions by resource, `services` or `deployments.apps`. */
  readonly transactions?: ReadonlyMap<string, WriteTransactions>;
}

/** Opens what every definition is stored in; versions of one kind share their storage. */
export function openResources(
  definitions: readonly ResourceDefinition[],
  { storages, transactions }: OpenResourcesOptions,
): readonly ServedResource[] {
  return definitions.map(
    (definition) =>
      new ServedResource(
        definition,
        definition.storage === undefined ? undefined : storages.open(definition, definition.storage),
        { transactions: transactions?.get(groupResourceText(definition)) },
      ),
  );
}
