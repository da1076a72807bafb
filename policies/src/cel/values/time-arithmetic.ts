import { EvaluationError } from "./evaluation-error.js";
import { Duration, Timestamp } from "./value.js";

const nanosecondsPerSecond = 1_000_000_000n;
const minSeconds = -62_135_596_800n;
const maxSeconds = 253_402_300_799n;
const minDuration = -(2n ** 63n);
const maxDuration = 2n ** 63n - 1n;

/** Returns a timestamp of the years 1 to 9999. Throws EvaluationError beyond. */
export function timestampValue(nanoseconds: bigint, offsetMinutes = 0): Timestamp {
  if (nanoseconds < minSeconds * nanosecondsPerSecond || nanoseconds >= (maxSeconds + 1n) * nanosecondsPerSecond) {
    throw new EvaluationError("timestamp overflow");
  }
  return new Timestamp(nanoseconds, offsetMinutes);
}

/** Returns a duration. Throws EvaluationError if its nanoseconds do not fit into 64 bits. */
export function durationValue(nanoseconds: bigint): Duration {
  if (nanoseconds < minDuration || nanoseconds > maxDuration) {
    throw new EvaluationError("integer overflow");
  }
  return new Duration(nanoseconds);
}

/** Returns the timestamp that is some nanoseconds after another. */
export function addToTimestamp(timestamp: Timestamp, nanoseconds: bigint): Timestamp {
  return timestampValue(timestamp.nanoseconds + nanoseconds, timestamp.offsetMinutes);
}

/** Returns the sum of two durations in nanoseconds. */
export function addDurations(left: bigint, right: bigint): Duration {
  return durationValue(left + right);
}

/** Returns the time from one timestamp to another. */
export function durationBetween(from: Timestamp, to: Timestamp): Duration {
  return durationValue(to.nanoseconds - from.nanoseconds);
}

/** Returns the duration with the other sign. */
export function negateDuration(duration: Duration): Duration {
  return durationValue(-duration.nanoseconds);
}

/** Returns the largest whole number that is not above the quotient. */
export function floorDivide(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  return dividend % divisor < 0n ? quotient - 1n : quotient;
}
