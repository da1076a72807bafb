export { CapturedStore } from "./captured-store.js";
export { configOfClone } from "./config-of-clone.js";
export { type FaultedRequest, FaultInjector, type FaultStatus, type RequestFault } from "./faults.js";
export type { HarnessFilter, HarnessParts } from "./harness-parts.js";
export { type RecordedExchange, type RequestRecorder, recordRequests } from "./record-requests.js";
