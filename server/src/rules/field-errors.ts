import { type FieldError, fieldError, hasEnoughErrors, type JsonValue } from "@gatehouse/envelopes";
import type { FieldPath } from "./field-path.js";

/** What is wrong with one object, in the order in which it is found. */
export class FieldErrors {
  readonly #found: FieldError[] = [];

  /** All of it, in order. */
  get list(): readonly FieldError[] {
    return this.#found;
  }

  /** There is more than an answer lists: loops over what a client sent in any number may stop here. */
  get isFull(): boolean {
    return hasEnoughErrors(this.#found);
  }

  /** Takes over what others have found. */
  add(errors: readonly FieldError[]): void {
    for (const error of errors) {
      this.#found.push(error);
    }
  }

  required(path: FieldPath, detail = ""): void {
    this.#found.push(fieldError.required(String(path), detail));
  }

  invalid(path: FieldPath, value: JsonValue | undefined, detail: string): void {
    this.#found.push(fieldError.invalid(String(path), value, detail));
  }

  /** The value is of a wrong type. */
  typeInvalid(path: FieldPath, value: JsonValue | undefined, detail: string): void {
    this.#found.push(fieldError.typeInvalid(String(path), value, detail));
  }

  /** `supported` is shown in the order given; v1.29 sorts most sets. */
  notSupported(path: FieldPath, value: JsonValue | undefined, supported: readonly string[]): void {
    this.#found.push(fieldError.notSupported(String(path), value, supported));
  }

  duplicate(path: FieldPath, value: JsonValue | undefined): void {
    this.#found.push(fieldError.duplicate(String(path), value));
  }

  forbidden(path: FieldPath, detail: string): void {
    this.#found.push(fieldError.forbidden(String(path), detail));
  }

  notFound(path: FieldPath, value: JsonValue | undefined): void {
    this.#found.push(fieldError.notFound(String(path), value));
  }

  tooLong(path: FieldPath, maxBytes: number): void {
    this.#found.push(fieldError.tooLong(String(path), maxBytes));
  }

  tooMany(path: FieldPath, count: number, max: number): void {
    this.#found.push(fieldError.tooMany(String(path), count, max));
  }
}
