export type { ApiDocument } from "./api-documents.js";
export { definitionName } from "./definitions/definition-name.js";
export { readForeignSpec } from "./foreign/foreign-spec.js";
export { openapi3OfSwagger } from "./foreign/openapi3-of-swagger.js";
export { type OpenApiRoutesOptions, openapiRoutes } from "./openapi-routes.js";
export { OpenApiSource } from "./openapi-source.js";
export { withTypedKinds } from "./schema-source.js";
