export { customResourceDefinitionRow } from "./definition.js";
export { customResourceDefinitions } from "./definitions-resource.js";
