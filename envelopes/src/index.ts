export type * from "./generated/index.js";
export { isJsonObject, type JsonArray, type JsonObject, type JsonValue } from "./json.js";
export { brand, domain, mediaTypes } from "./names.js";
export { kindSchema, messageSchema, type SchemaRegistry, schemaRegistry } from "./schema/registry.js";
export {
  apiVersionOf,
  type Field,
  type Granularity,
  type GroupVersionKind,
  type GroupVersionResource,
  type JsonSchema,
  type KindSchema,
  type ListSchema,
  type ListType,
  type MapSchema,
  type ObjectSchema,
  type PatchStrategy,
  type ScalarKind,
  type ScalarSchema,
  type Schema,
  type UnionSchema,
} from "./schema/schema.js";
export { type CauseType, type FieldError, fieldError } from "./status/field-error.js";
export * from "./status/status-error.js";
