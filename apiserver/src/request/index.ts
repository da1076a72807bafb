export type { Caller } from "./caller.js";
export { certificateFaultMetrics } from "./certificate-fault-metrics.js";
export type { Exchange } from "./exchange.js";
export type { Handler, MaybePromise } from "./handler.js";
export { isLongRunning } from "./long-running.js";
export { RequestContext } from "./request-context.js";
export type { RequestInfo } from "./request-info.js";
export type { SharedPiece } from "./shared-piece.js";
export type { UserInfo } from "./user-info.js";
