import type { StackPart } from "./stack-part.js";

/** The parts of a stack; those that are undefined were not asked for. */
export interface StackParts {
  readonly apiServer: StackPart;
  readonly admission: StackPart | undefined;
  readonly imageReview: StackPart | undefined;
  readonly authorization: StackPart | undefined;
  readonly tokenReview: StackPart | undefined;
  readonly auditSink: StackPart | undefined;
  readonly identityProvider: StackPart | undefined;
}
