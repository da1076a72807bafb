export { compileFlowSchema, type FlowSchema } from "./compile-flow-schema.js";
export { dumpPriorityLevels, dumpQueues, dumpRequests } from "./dump.js";
export { defaultRequestLimits, FlowControl, type RequestLimits } from "./flow-control.js";
export { FlowControlMetrics } from "./flow-control-metrics.js";
export { FlowRequest } from "./flow-request.js";
export { InflightCounts, kindOfVerb, type RequestKind } from "./inflight-counts.js";
export type { LevelFlow } from "./level-state.js";
export {
  autoUpdateAnnotation,
  bootstrapFlowSchema,
  bootstrapPriorityLevel,
  everybody,
  everyPath,
  everyResource,
  flowControlGroup,
  mandatoryFlowSchemas,
  mandatoryPriorityLevels,
} from "./mandatory-objects.js";
export { PriorityLevels } from "./priority-levels.js";
export { type PriorityLevel, readPriorityLevel } from "./read-priority-level.js";
export { estimateWork } from "./work-estimate.js";
