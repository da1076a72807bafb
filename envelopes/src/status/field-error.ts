import { goQuote } from "../go/quote.js";
import type { JsonValue } from "../json/json.js";

/** The reasons a `StatusCause` of an Invalid error may carry, as clients match on them. */
export type CauseType =
  | "FieldValueRequired"
  | "FieldValueInvalid"
  | "FieldValueNotSupported"
  | "FieldValueDuplicate"
  | "FieldValueForbidden"
  | "FieldValueNotFound"
  | "FieldValueTooLong"
  | "FieldValueTooMany"
  | "FieldValueTypeInvalid"
  | "InternalError";

/** An error about one field. `message` is the text after the field path, for example `Required value`. */
export interface FieldError {
  readonly type: CauseType;
  /** Path as kubectl shows it: `spec.template.spec.containers[0].name`, `metadata.labels`, `data[key]`. */
  readonly field: string;
  readonly message: string;
}

/**
 * The limit of field errors in an answer. A body of 3 MiB can hold a million mistakes; listing them all, as v1.29 does,
 * would be a second attack.
 */
export const maxFieldErrors = 1_000;

/** Reports whether there is one error more than an answer lists, so that looking for others is useless. */
export function hasEnoughErrors(errors: readonly FieldError[]): boolean {
  return errors.length > maxFieldErrors;
}

/** Field errors by name, each with the wording that kubectl users know. */
export const fieldError = {
  required: (field: string, detail = ""): FieldError => make("FieldValueRequired", field, "Required value", detail),
  invalid: (field: string, value: JsonValue | undefined, detail: string): FieldError =>
    make("FieldValueInvalid", field, `Invalid value: ${show(value)}`, detail),
  typeInvalid: (field: string, value: JsonValue | undefined, detail: string): FieldError =>
    make("FieldValueTypeInvalid", field, `Invalid value: ${show(value)}`, detail),
  notSupported: (field: string, value: JsonValue | undefined, supported: readonly string[]): FieldError =>
    make(
      "FieldValueNotSupported",
      field,
      `Unsupported value: ${show(value)}`,
      supported.length > 0 ? `supported values: ${supported.map(goQuote).join(", ")}` : "",
    ),
  duplicate: (field: string, value: JsonValue | undefined): FieldError =>
    make("FieldValueDuplicate", field, `Duplicate value: ${show(value)}`, ""),
  forbidden: (field: string, detail: string): FieldError => make("FieldValueForbidden", field, "Forbidden", detail),
  notFound: (field: string, value: JsonValue | undefined): FieldError =>
    make("FieldValueNotFound", field, `Not found: ${show(value)}`, ""),
  tooLong: (field: string, maxBytes: number): FieldError =>
    make("FieldValueTooLong", field, "Too long", `must have at most ${maxBytes} bytes`),
  tooMany: (field: string, count: number, max: number): FieldError =>
    make("FieldValueTooMany", field, `Too many: ${count}`, `must have at most ${max} items`),
  internal: (field: string, detail: string): FieldError => make("InternalError", field, "Internal error", detail),
};

function make(type: CauseType, field: string, problem: string, detail: string): FieldError {
  return { type, field, message: detail === "" ? problem : `${problem}: ${detail}` };
}

function show(value: JsonValue | undefined): string {
  if (value === undefined || value === null) {
    // In quotes, as kube-apiserver prints it.
    return '"null"';
  }
  switch (typeof value) {
    case "bigint":
      return String(value);
    case "string":
      return goQuote(value);
    default:
      return isTextList(value) ? `[]string{${value.map(goQuote).join(", ")}}` : JSON.stringify(value);
  }
}

function isTextList(value: JsonValue): value is string[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "string");
}
