export { definitionSummary } from "./definition-summary.js";
export { LiveCustomResources } from "./live-custom-resources.js";
