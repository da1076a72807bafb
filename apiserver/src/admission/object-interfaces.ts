import type { JsonObject, JsonValue } from "@gatehouse/envelopes/json";
import { isSameKind, type ServedForm, type ServedForms } from "@gatehouse/policies/admission-expressions";
import type { MaybePromise } from "../request/handler.js";

export { isSameKind, type ServedForm };

/** The access of plugins to the other forms of an object that is written. The objects passed in are not changed. */
export interface ObjectInterfaces extends ServedForms {
  /**
   * A token that is replaced when the set of served resources changes: results derived from `equivalents` hold until
   * then.
   */
  readonly served: object;

  /** Converts an object to another of its forms. Rejects when it cannot be converted. */
  convert(object: JsonObject, from: ServedForm, to: ServedForm, signal: AbortSignal): MaybePromise<JsonObject>;

  /** Returns an object with its members as clients would read them, in their order, kind and version included. */
  written(object: JsonObject, form: ServedForm): JsonObject;

  /** Reads a document as an object of a form. Throws DecodeError when it is none. */
  read(document: JsonValue, form: ServedForm): JsonObject;

  /** Fills in what may be left out, in place. Returns the bytes that the schema has added; throws 413 for too many. */
  fillDefaults(object: JsonObject, form: ServedForm): number;
}
