import type { RoundResult } from "../rounds.js";
import type { LoadResult } from "./load-generator.js";

/** Share of one core from which on the generator may be the limit of a figure. */
const busyLimit = 0.97;

/** A round of `count` units of work, such as answers or events; the value is how many there are in a second. */
export function roundResult(result: LoadResult, count: number): RoundResult {
  return {
    value: count / result.seconds,
    processorMicros: (result.serverProcessorSeconds * 1e6) / count,
    notes: result.busy > busyLimit ? ["the load generator was at its own limit in some rounds"] : [],
  };
}
