export {
  defineResource,
  defineResources,
  type KindDefinition,
  scaleSubresource,
  statusSubresource,
  virtualResource,
} from "./define-resource.js";
export type { Deprecation } from "./deprecation.js";
export { GroupTable } from "./group-table.js";
export { LiveRegistry, type RegistrySource } from "./live-registry.js";
export { openResources, selectDefinitions } from "./open-resources.js";
export type { Privileges } from "./privileges.js";
export type { ResourceDefinition, SelectableField, StorageLocation, Subresource, Verb } from "./resource-definition.js";
export { ResourceRegistry } from "./resource-registry.js";
export { type Change, ResourceStorage } from "./resource-storage.js";
export { ResourceStorages } from "./resource-storages.js";
export type { ScaleView } from "./scale-view.js";
export { ServedResource } from "./served-resource.js";
export { storageVersionHash } from "./storage-version-hash.js";
export type { StatedPropagation } from "./strategies/deletion-strategy.js";
export {
  exactGenerationOf,
  type GenerationStrategy,
  generationOf,
  generationOfSpec,
} from "./strategies/generation-strategy.js";
export type { KindValidation, KindWarnings, SteppedValidation, ValidationSteps } from "./strategies/kind-validation.js";
export { type KindStrategy, type ResourceStrategy, writeStrategyOf } from "./strategies/resource-strategy.js";
export { keepClientMetadata } from "./strategies/status-strategy.js";
export type { AuthorizeWrite, StrategyContext } from "./strategies/strategy-context.js";
export { emptyTransaction, type WriteTransaction, type WriteTransactions } from "./write-transactions.js";
