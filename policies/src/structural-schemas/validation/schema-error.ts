import { goSyntaxValue } from "@gatehouse/envelopes/go";
import type { JsonValue } from "@gatehouse/envelopes/json";
import { type FieldError, fieldError, maxFieldErrors } from "@gatehouse/envelopes/status";
import type { EnumValues } from "./enum-values.js";

/** One way in which a value breaks its schema, as v1.29's schema validator reports it. */
export interface SchemaError {
  /** The kind of problem; `schema` is an alternative that fails for no single part of the value. */
  readonly code: "required" | "enum" | "tooLong" | "tooManyItems" | "type" | "invalid" | "schema";
  /** Path from the root, `spec.list[0].name`; empty for the root itself. */
  readonly path: string;
  readonly value: JsonValue;
  /** The validator's message. Two errors with one message are one error. */
  readonly message: string;
  /** The allowed values, for `enum`. */
  readonly allowed?: EnumValues;
  /** The limit, for `tooLong` and `tooManyItems`. */
  readonly max?: number;
}

/** The text by which kube-apiserver shows a path that leads nowhere. */
const noPath = "<nil>";

/** Messages may repeat values of megabytes; an answer shows no more of them than this. */
const maxMessageBytes = 4 * 1024 * 1024;

/** Returns the causes of the answer for errors of the schema validator, no more than an answer lists. */
export function toFieldErrors(errors: readonly SchemaError[]): FieldError[] {
  const causes: FieldError[] = [];
  let length = 0;
  for (const error of errors) {
    const cause = toFieldError(error);
    length += cause.message.length;
    if (causes.length > maxFieldErrors || (causes.length > 0 && length > maxMessageBytes)) {
      break;
    }
    causes.push(cause);
  }
  return causes;
}

function toFieldError(error: SchemaError): FieldError {
  const { path, message, max = -1 } = error;
  const field = path === "" ? noPath : path.startsWith(".") ? path.slice(1) : path;
  switch (error.code) {
    case "required":
      return fieldError.required(field);
    case "enum": {
      const detail = error.allowed === undefined ? "" : `: supported values: ${error.allowed.text}`;
      return {
        type: "FieldValueNotSupported",
        field,
        message: `Unsupported value: ${goSyntaxValue(error.value)}${detail}`,
      };
    }
    case "tooLong":
      return { type: "FieldValueTooLong", field, message: `Too long: may not be longer than ${max}` };
    case "tooManyItems":
      return fieldError.tooMany(field, Number(error.value), max);
    case "type":
      return {
        type: "FieldValueTypeInvalid",
        field,
        message: `Invalid value: ${goSyntaxValue(error.value)}: ${message}`,
      };
    case "invalid":
      return { type: "FieldValueInvalid", field, message: `Invalid value: ${goSyntaxValue(error.value)}: ${message}` };
    case "schema":
      return { type: "FieldValueInvalid", field: noPath, message: `Invalid value: "": ${message}` };
  }
}
