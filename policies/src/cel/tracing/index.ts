export { type CoverageGoal, type CoveragePoint, ExpressionCoverage } from "./expression-coverage.js";
export { type RecordedEvaluation, TraceRecorder } from "./trace-recorder.js";
export { type TraceElement, type TraceNode, traceTree } from "./trace-tree.js";
export { valueText } from "./value-text.js";
export { variablesOf } from "./variables-of.js";
export type { ElementVisit, Visit } from "./visit.js";
