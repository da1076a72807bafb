export {
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
export type {
  ConvertObjects,
  KindValidation,
  ObjectOfNow,
  ResourceDefinition,
  ResourceSchemas,
  ResourceStrategy,
  ScaleView,
  SelectableField,
  SteppedValidation,
  StorageLocation,
  StoredForm,
  StrategyContext,
  Subresource,
  ValidationSteps,
  Verb,
} from "./resource-definition.js";
export { ResourceRegistry } from "./resource-registry.js";
export { type Change, ResourceStorage } from "./resource-storage.js";
export { ResourceStorages } from "./resource-storages.js";
export { ServedResource } from "./served-resource.js";
export { fillToStorableSize } from "./storable-size.js";
export { emptyTransaction, type WriteTransaction, type WriteTransactions } from "./write-transactions.js";
