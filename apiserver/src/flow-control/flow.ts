import type { FlowSchema } from "./compile-flow-schema.js";
import type { FlowStatistics } from "./flow-statistics.js";

/** The requests of one FlowSchema that are to be treated alike: those of a user, of a namespace, or all. */
export interface Flow {
  readonly schema: FlowSchema;
  readonly distinguisher: string;
  /** The indexes of the queues that take its requests; empty where there are none. */
  readonly hand: readonly number[];
  readonly statistics: FlowStatistics;
}
