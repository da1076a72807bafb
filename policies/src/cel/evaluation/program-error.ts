import type { CelType } from "../types/cel-type.js";

/**
 * Thrown for an expression whose types are right, but of which a part that is known before evaluation fails: a conversion of
 * a literal, an invalid pattern. Its message has v1.29's text.
 */
export class ProgramError extends Error {
  override readonly name = "ProgramError";
  /** The type of the value that the expression would have. */
  readonly type: CelType;

  constructor(message: string, type: CelType) {
    super(message);
    this.type = type;
  }
}
