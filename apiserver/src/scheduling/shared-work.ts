import type { StepContext } from "@gatehouse/envelopes/scheduling";
import { Connection } from "./connection.js";
import { scheduler } from "./scheduler.js";

/** Connection of the work that many clients need, so that no single one's connection counts. */
const everybody = new Connection();

/** Yields on behalf of work that many clients need: all such work together has one place among the connections. */
export function yieldSharedWork(): Promise<void> | undefined {
  return scheduler.yield(everybody, 0);
}

/** Context of work in steps that many clients need and that nobody cancels. */
export const sharedWork: StepContext = { signal: new AbortController().signal, yield: yieldSharedWork };
