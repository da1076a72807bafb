export type { ObjectForm } from "./object-form.js";
export type { ResourceSchemas } from "./resource-schemas.js";
export { TypedForm } from "./typed-form.js";
export type { ConvertObjects, UnstructuredKind } from "./unstructured-kind.js";
