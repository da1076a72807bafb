export { andThen, endWith, inTurn, type MaybePromise } from "./maybe-promise.js";
export { StepMeter } from "./step-meter.js";
export {
  awaited,
  finishSteps,
  runSteps,
  type StepContext,
  type Steps,
  startSteps,
  type Wait,
  type WaitingSteps,
} from "./steps.js";
export { TimeSlice, type TimeSliceOptions } from "./time-slice.js";
export { yieldToEventLoop } from "./yield-to-event-loop.js";
