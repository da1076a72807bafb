/** What is wrong with a set of fields, or with a value by the schema it is merged by. The text is v1.29's. */
export class FieldsError extends Error {
  /** The same, told with what was to be done. */
  during(what: string): FieldsError {
    return new FieldsError(`${what}: ${this.message}`, { cause: this });
  }
}

/** Why an object cannot be had in another version of its kind, though the writer has done nothing wrong. */
export class ConversionFailure extends FieldsError {
  override during(what: string): ConversionFailure {
    return new ConversionFailure(`${what}: ${this.message}`, { cause: this });
  }
}
