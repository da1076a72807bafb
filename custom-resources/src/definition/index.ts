export { customResourceDefinitionDefinition } from "./definition.js";
export { customResourceDefinitions } from "./definitions-resource.js";
