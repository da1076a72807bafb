export { endOnFatalError } from "./end-on-fatal-error.js";
export type { ProcessLike } from "./process-like.js";
export { type DrainTask, type RunUntilSignalOptions, runUntilSignal } from "./run-until-signal.js";
export { thisProcess } from "./this-process.js";
