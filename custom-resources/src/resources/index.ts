export { customResourceDefinitions } from "./define-custom-resource.js";
export { definitionSummary } from "./definition-summary.js";
export { LiveCustomResources } from "./live-custom-resources.js";
