import type { HeaderFields } from "../request/header-fields.js";
import type { Flow } from "./flow.js";
import type { LevelStatistics } from "./level-statistics.js";
import type { QueueSet } from "./queue-set.js";
import type { PriorityLevel } from "./read-priority-level.js";
import type { RetryAfter } from "./retry-after.js";

/** A priority level in use: its configuration, its seats and its queues. */
export interface LevelState {
  config: PriorityLevel;
  readonly queues: QueueSet;
  readonly statistics: LevelStatistics;
  readonly retryAfter: RetryAfter;
  /** True if nothing configures the level any more: it goes when its last request has ended. */
  isQuiescing: boolean;
  /** The seats by its share, the least and the most that it may have, and those that it has now. */
  nominalSeats: number;
  minSeats: number;
  maxSeats: number;
  currentSeats: number;
  /** The largest number of seats of one request; 0 for levels without queues. */
  maxSeatsOfRequest: number;
}

/** A flow, and the level that its requests belong to. */
export interface LevelFlow extends Flow {
  readonly level: LevelState;
  /** Headers of the answers to its requests: level and schema by UID, since their names may be nobody's business. */
  readonly answerFields: HeaderFields;
}
