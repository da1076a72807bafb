/** What a rule finds wrong with an object. */
export interface Violation {
  /** Where, as a path: `spec.containers[0].image`. */
  readonly field: string;
  /** What is wrong and what to do, without the field. */
  readonly message: string;
}
