import type { LogLevel } from "@gatehouse/component-base/logs";

/** The verbosity from which debug lines are written, one of them for each request, as in v1.29. */
const debugVerbosity = 3;

/** Returns the least level that is written with a verbosity (`--v`). */
export function levelOfVerbosity(verbosity: number): LogLevel {
  return verbosity >= debugVerbosity ? "debug" : "info";
}
