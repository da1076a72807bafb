export {
  type MatchConditionMetrics,
  type MatchConditionOwner,
  matchConditionMetrics,
} from "./match-condition-metrics.js";
export { measuredMatch } from "./measured-match.js";
export { versionedObjects } from "./versioned-objects.js";
export { WriteSource } from "./write-source.js";
