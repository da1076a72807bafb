export { definitionName } from "./definitions/definition-name.js";
export { type OpenApiRoutesOptions, openapiRoutes } from "./openapi-routes.js";
export { OpenApiSource } from "./openapi-source.js";
