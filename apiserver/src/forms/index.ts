export { CustomValueFormat } from "./at-rest/custom-value-format.js";
export { type StorageMediaType, storageMediaTypes } from "./at-rest/storage-media-type.js";
export { type StoredKind, TypedValueFormat } from "./at-rest/typed-value-format.js";
export type { ValueFormatOptions } from "./at-rest/value-format-options.js";
export { type FormAtRest, type StoreForm, versionAtRest } from "./at-rest/version-at-rest.js";
export type { ObjectForm } from "./object-form.js";
export type { ResourceSchemas } from "./resource-schemas.js";
export { TypedForm } from "./typed-form.js";
export type { ConvertObjects, UnstructuredKind } from "./unstructured-kind.js";
