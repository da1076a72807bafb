/** A violation of a rule by an object. */
export interface Violation {
  /** The field as a path: `spec.containers[0].image`. */
  readonly field: string;
  /** The problem and its remedy, without the field. */
  readonly message: string;
}
