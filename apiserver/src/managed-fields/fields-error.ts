/**
 * The error for an invalid set of fields, or for a value that does not fit the schema it is merged by. The text is
 * v1.29's.
 */
export class FieldsError extends Error {
  /** Returns an error whose message begins with the operation that failed. */
  during(what: string): FieldsError {
    return new FieldsError(`${what}: ${this.message}`, { cause: this });
  }
}

/**
 * The error for an object that cannot be converted to another version of its kind, though the writer has done nothing
 * wrong.
 */
export class ConversionFailedError extends FieldsError {
  override during(what: string): ConversionFailedError {
    return new ConversionFailedError(`${what}: ${this.message}`, { cause: this });
  }
}
