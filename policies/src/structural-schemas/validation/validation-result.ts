import type { SchemaError } from "./schema-error.js";

/**
 * Largest number of errors that are kept: more than an answer lists. The check goes on only to compare alternatives.
 */
const maxErrors = 1_001;
/** Bound of the text of all messages, in characters: each may show a long value, path or pattern. */
const maxMessagesLength = 4 * 1024 * 1024;

/**
 * The result of checking a value: its errors, and how many checks were met. When several alternatives all fail, the
 * errors of the one that met most checks are reported.
 */
export class ValidationResult {
  readonly errors: SchemaError[] = [];
  matchCount = 0;
  #messages: Set<string> | undefined;
  #messagesLength = 0;

  get isValid(): boolean {
    return this.errors.length === 0;
  }

  /** True if no more errors are kept, so that none need be made. */
  get isFull(): boolean {
    return this.errors.length >= maxErrors || this.#messagesLength > maxMessagesLength;
  }

  /** Adds an error; of several with the same message only the first is kept. */
  add(error: SchemaError): void {
    if (this.isFull) {
      return;
    }
    this.#messages ??= new Set();
    if (!this.#messages.has(error.message)) {
      this.#messages.add(error.message);
      this.#messagesLength += error.message.length;
      this.errors.push(error);
    }
  }

  merge(other: ValidationResult): void {
    for (const error of other.errors) {
      this.add(error);
    }
    this.matchCount += other.matchCount;
  }
}
