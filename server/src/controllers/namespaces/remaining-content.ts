/** The outcome of one attempt to delete the contents of a namespace. */
export interface RemainingContent {
  /** Counts of objects that still exist, by `<resource>.<group>`. */
  readonly byResource: ReadonlyMap<string, number>;
  /** Counts of objects that a finalizer holds, by finalizer. */
  readonly byFinalizer: ReadonlyMap<string, number>;
  /** Messages of failures, for users. */
  readonly errors: readonly string[];
  /** Group versions whose server could not be asked for its resources. */
  readonly undiscovered: readonly string[];
}
