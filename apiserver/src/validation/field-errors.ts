import { goQuote } from "@gatehouse/envelopes/go";
import type { JsonValue } from "@gatehouse/envelopes/json";
import { type FieldError, fieldError, hasEnoughErrors } from "@gatehouse/envelopes/status";
import type { FieldPath } from "@gatehouse/envelopes/validation";

/** Limit on the characters of all paths and messages together. */
const maxTextLength = 4 * 1024 * 1024;

/** The kind of metadata check: as of a new object, or compared with the object that is replaced. */
export type MetadataCheck = "object" | "change";

/**
 * The field errors of one object, in the order in which they are found. Once the list is full, errors are dropped and
 * their texts are not made: a path may be as long as a body, and an object may have a hundred thousand errors.
 */
export class FieldErrors {
  readonly #found: FieldError[] = [];
  readonly #metadataErrors: ((check: MetadataCheck) => readonly FieldError[]) | undefined;
  #textLength = 0;

  /** Creates an empty list. `metadataErrors` returns the errors in the metadata of an update. */
  constructor(metadataErrors?: (check: MetadataCheck) => readonly FieldError[]) {
    this.#metadataErrors = metadataErrors;
  }

  /**
   * Adds the metadata errors at this point: v1.29 validates metadata amid the rules of some updates, not before them.
   */
  recheckMetadata(check: MetadataCheck): void {
    if (this.#metadataErrors !== undefined) {
      this.add(this.#metadataErrors(check));
    }
  }

  /** The errors in the order in which they were added. */
  get list(): readonly FieldError[] {
    return this.#found;
  }

  /**
   * True if there are more errors than an answer lists, or more text than it can hold (each error may show one long
   * value): loops over items that a client sent in any number may stop here.
   */
  get isFull(): boolean {
    return hasEnoughErrors(this.#found) || this.#textLength > maxTextLength;
  }

  /** Adds errors that were found elsewhere. */
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

  /** Adds one "Invalid value" error for each of the problems. */
  invalidText(path: FieldPath, text: string, problems: readonly string[]): void {
    for (const problem of problems) {
      this.invalid(path, text, problem);
    }
  }

  /**
   * Adds an "Invalid value" error in which `shown` is written verbatim, as Go prints a value that is neither text nor
   * number; undefined shows no value.
   */
  invalidShown(path: FieldPath, shown: string | undefined, detail: string): void {
    const value = shown === undefined ? "" : `: ${shown}`;
    const message = `Invalid value${value}${detail === "" ? "" : `: ${detail}`}`;
    this.#push(path, (field) => ({ type: "FieldValueInvalid", field, message }));
  }

  /** Adds an "Invalid value" error of the type FieldValueTypeInvalid, for a value of a wrong type. */
  typeInvalid(path: FieldPath, value: JsonValue | undefined, detail: string): void {
    this.#push(path, (field) => fieldError.typeInvalid(field, value, detail));
  }

  /** Adds an "Unsupported value" error. `supported` is shown in the order given; v1.29 sorts most sets. */
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

  /** Adds an "Unsupported value" error in which `shown` is written verbatim, as Go prints the value. */
  notSupportedShown(path: FieldPath, shown: string, supported: readonly string[]): void {
    const message = `Unsupported value: ${shown}: supported values: ${supported.map(goQuote).join(", ")}`;
    this.#push(path, (field) => ({ type: "FieldValueNotSupported", field, message }));
  }

  duplicate(path: FieldPath, value: JsonValue | undefined): void {
    this.#push(path, (field) => fieldError.duplicate(field, value));
  }

  /** Adds a "Duplicate value" error in which `shown` is written verbatim, as Go prints the value. */
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

  /** Adds a "Too long" error in v1.29's words for a limit that is not in bytes. */
  tooLongFor(path: FieldPath, max: number): void {
    const message = `Too long: may not be longer than ${max}`;
    this.#push(path, (field) => ({ ...fieldError.tooLong(field, max), message }));
  }

  tooMany(path: FieldPath, count: number, max: number): void {
    this.#push(path, (field) => fieldError.tooMany(field, count, max));
  }
}
