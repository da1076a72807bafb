export { customResourceDefinitions } from "./define-custom-resource.js";
export { definitionSummary } from "./definition-summary.js";
export { documentMetrics } from "./document-metrics.js";
export { LiveCustomResources } from "./live-custom-resources.js";
