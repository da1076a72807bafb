import type { CelType } from "../types/cel-type.js";
import type { CelValue } from "../values/value.js";

/** A message of protocol buffers that expressions can build: `google.protobuf.Duration{seconds: 1}`. */
export interface MessageType {
  readonly name: string;
  /** The type of the values that are built. */
  readonly type: CelType;
  readonly fields: ReadonlyMap<string, MessageField>;
  /**
   * Returns the value that a message with these fields stands for. The fields are converted, in the order of the source; those
   * that are not set are left out. Throws EvaluationError.
   */
  readonly build: (fields: ReadonlyMap<string, CelValue>) => CelValue;
}

/** A field of a message. */
export interface MessageField {
  readonly type: CelType;
  /** Converts a value to one that the field can hold. Throws EvaluationError, with v1.29's text, if there is none. */
  readonly convert: (value: CelValue) => CelValue;
}
