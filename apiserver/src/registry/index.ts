export { Catalogue } from "./catalogue.js";
export {
  defineResources,
  type ResourceRow,
  scaleSubresource,
  statusSubresource,
  virtualResource,
} from "./define-resource.js";
export type { Deprecation } from "./deprecation.js";
export { GroupTable } from "./group-table.js";
export { type CatalogueSource, LiveCatalogue } from "./live-catalogue.js";
export { openResources, selectDefinitions } from "./open-resources.js";
export type { Privileges } from "./privileges.js";
export type {
  ConvertObjects,
  KindRules,
  ObjectOfNow,
  ResourceDefinition,
  ResourceSchemas,
  ResourceStrategy,
  RuleWork,
  ScaleView,
  SelectableField,
  SlicedRules,
  StorageLocation,
  StoredForm,
  StrategyContext,
  Subresource,
  Verb,
} from "./resource-definition.js";
export { type Change, ResourceStorage } from "./resource-storage.js";
export { ResourceStorages } from "./resource-storages.js";
export { ServedResource } from "./served-resource.js";
export { fillToStorableSize } from "./storable-size.js";
export { emptyTransaction, type WriteTransaction, type WriteTransactions } from "./write-transactions.js";
