import { type FieldError, fieldError, goQuote, hasEnoughErrors, type JsonValue } from "@gatehouse/envelopes";
import type { FieldPath } from "./field-path.js";

/** In characters, of all paths and messages together. */
const maxTextLength = 4 * 1024 * 1024;

/** Metadata as that of a new object, or compared with what it replaces. */
export type MetadataCheck = "object" | "change";

/**
 * What is wrong with one object, in the order in which it is found. Once it is full, errors are dropped and their texts
 * are not made: a path may be as long as a body, and an object may have a hundred thousand errors.
 */
export class FieldErrors {
  readonly #found: FieldError[] = [];
  readonly #metadataErrors: ((check: MetadataCheck) => readonly FieldError[]) | undefined;
  #textLength = 0;

  /** `metadataErrors` is what is wrong with the metadata of an update. */
  constructor(metadataErrors?: (check: MetadataCheck) => readonly FieldError[]) {
    this.#metadataErrors = metadataErrors;
  }

  /** For rules of updates which v1.29 does not begin with another look at the metadata, but has it in between. */
  recheckMetadata(check: MetadataCheck): void {
    if (this.#metadataErrors !== undefined) {
      this.add(this.#metadataErrors(check));
    }
  }

  /** All of it, in order. */
  get list(): readonly FieldError[] {
    return this.#found;
  }

  /**
   * There is more than an answer lists, or more text than one can hold: loops over what a client sent in any number may
   * stop here. One long value may be shown by each error.
   */
  get isFull(): boolean {
    return hasEnoughErrors(this.#found) || this.#textLength > maxTextLength;
  }

  /** Takes over what others have found. */
  add(errors: readonly FieldError[]): void {
    for (const error of errors) {
      if (this.isFull) {
        return;
      }
      this.#keep(error);
    }
  }

  required(path: FieldPath, detail = ""): void {
    this.#push(path, (field) => fieldError.required(field, detail));
  }

  invalid(path: FieldPath, value: JsonValue | undefined, detail: string): void {
    this.#push(path, (field) => fieldError.invalid(field, value, detail));
  }

  /** One error for each of the problems that a check of the text has told. */
  invalidText(path: FieldPath, text: string, problems: readonly string[]): void {
    for (const problem of problems) {
      this.invalid(path, text, problem);
    }
  }

  /** `shown` is written as it is: what Go prints of a value that is neither text nor number. Without it none is shown. */
  invalidShown(path: FieldPath, shown: string | undefined, detail: string): void {
    const value = shown === undefined ? "" : `: ${shown}`;
    const message = `Invalid value${value}${detail === "" ? "" : `: ${detail}`}`;
    this.#push(path, (field) => ({ type: "FieldValueInvalid", field, message }));
  }

  /** The value is of a wrong type. */
  typeInvalid(path: FieldPath, value: JsonValue | undefined, detail: string): void {
    this.#push(path, (field) => fieldError.typeInvalid(field, value, detail));
  }

  /** `supported` is shown in the order given; v1.29 sorts most sets. */
  notSupported(path: FieldPath, value: JsonValue | undefined, supported: readonly string[]): void {
    this.#push(path, (field) => fieldError.notSupported(field, value, supported));
  }

  #push(path: FieldPath, make: (field: string) => FieldError): void {
    if (!this.isFull) {
      this.#keep(make(String(path)));
    }
  }

  #keep(error: FieldError): void {
    this.#found.push(error);
    this.#textLength += error.field.length + error.message.length;
  }

  /** As `notSupported`, of a value that is shown as Go prints it. */
  notSupportedShown(path: FieldPath, shown: string, supported: readonly string[]): void {
    const message = `Unsupported value: ${shown}: supported values: ${supported.map(goQuote).join(", ")}`;
    this.#push(path, (field) => ({ type: "FieldValueNotSupported", field, message }));
  }

  duplicate(path: FieldPath, value: JsonValue | undefined): void {
    this.#push(path, (field) => fieldError.duplicate(field, value));
  }

  /** As `duplicate`, of a value that is shown as Go prints it. */
  duplicateShown(path: FieldPath, shown: string, detail = ""): void {
    const message = `Duplicate value: ${shown}${detail === "" ? "" : `: ${detail}`}`;
    this.#push(path, (field) => ({ type: "FieldValueDuplicate", field, message }));
  }

  forbidden(path: FieldPath, detail: string): void {
    this.#push(path, (field) => fieldError.forbidden(field, detail));
  }

  notFound(path: FieldPath, value: JsonValue | undefined, detail = ""): void {
    this.#push(path, (field) => {
      const error = fieldError.notFound(field, value);
      return detail === "" ? error : { ...error, message: `${error.message}: ${detail}` };
    });
  }

  internal(path: FieldPath, detail: string): void {
    this.#push(path, (field) => fieldError.internal(field, detail));
  }

  tooLong(path: FieldPath, maxBytes: number): void {
    this.#push(path, (field) => fieldError.tooLong(field, maxBytes));
  }

  /** As `tooLong`, in v1.29's words for what is not counted in bytes. */
  tooLongFor(path: FieldPath, max: number): void {
    const message = `Too long: may not be longer than ${max}`;
    this.#push(path, (field) => ({ ...fieldError.tooLong(field, max), message }));
  }

  tooMany(path: FieldPath, count: number, max: number): void {
    this.#push(path, (field) => fieldError.tooMany(field, count, max));
  }
}
