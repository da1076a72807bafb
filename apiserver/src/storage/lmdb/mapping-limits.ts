/**
 * Limits on how much of the data file stays mapped. Pages that have been read stay in the process's resident memory for as
 * long as they are mapped, although the watch cache holds the same objects. So when they have become many, the file is
 * closed and opened again. That takes some milliseconds, in which nothing can be read, so it is not done too often.
 * Kept apart from `Environment`, whose types are those of the library: users of the store compile without them.
 */
export interface MappingLimits {
  /** Bytes of the file that may be resident before it is mapped anew. */
  readonly maxResidentBytes: number;
  /** Interval of the checks. */
  readonly checkIntervalMs: number;
}

/** The limits by default; see docs/decisions/0007. */
export const defaultMappingLimits: MappingLimits = { maxResidentBytes: 32 * 2 ** 20, checkIntervalMs: 2000 };
