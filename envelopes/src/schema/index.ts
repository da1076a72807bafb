export { type JsonSchemaOptions, jsonSchemaOf } from "./json-schema.js";
export { kindSchema, messageSchema, type SchemaRegistry, schemaRegistry } from "./registry.js";
export {
  apiVersionOf,
  type Field,
  type Granularity,
  type GroupVersionKind,
  type GroupVersionResource,
  groupVersionOf,
  type JsonSchema,
  type KindSchema,
  type ListSchema,
  type ListType,
  type MapSchema,
  type ObjectSchema,
  type PatchStrategy,
  type PublishedRules,
  type ScalarKind,
  type ScalarSchema,
  type Schema,
  type StructuralTraits,
  type UnionSchema,
} from "./schema.js";
export { structuralSearch } from "./structural-search.js";
