import { EvaluationError } from "../../values/evaluation-error.js";
import { Duration, Timestamp } from "../../values/value.js";

const nanosecondsPerSecond = 1_000_000_000n;
const maxDuration = 2n ** 63n - 1n;
const minDuration = -(2n ** 63n);
/** The last second of the calendar of JavaScript, which begins as long before 1970. */
const maxSeconds = 8_640_000_000_000n;

/** Returns the duration of a message, or the longest where that is longer, as in v1.29. */
export function durationOf(seconds: bigint, nanoseconds: bigint): Duration {
  const sum = seconds * nanosecondsPerSecond + nanoseconds;
  return new Duration(sum > maxDuration ? maxDuration : sum < minDuration ? minDuration : sum);
}

/**
 * Returns the timestamp of a message, which may be one of a year beyond 9999, as in v1.29. Throws EvaluationError for years
 * beyond 200,000, which v1.29 counts.
 */
export function timestampOf(seconds: bigint, nanoseconds: bigint): Timestamp {
  const sum = seconds * nanosecondsPerSecond + nanoseconds;
  const limit = maxSeconds * nanosecondsPerSecond;
  if (sum > limit || sum < -limit) {
    throw new EvaluationError("timestamp overflow");
  }
  return new Timestamp(sum);
}
