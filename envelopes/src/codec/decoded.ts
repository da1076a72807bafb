import type { JsonObject } from "../json/json.js";

/** The result of `decodeJson`. */
export interface Decoded {
  /**
   * The decoded object, made anew in canonical form: members in wire order, scalars as the API writes them, maps
   * sorted. In custom kinds all keys are sorted.
   */
  readonly object: JsonObject;
  /** Paths of members that the schema does not know, `spec.containers[0].foo`; they are not in `object`. */
  readonly unknownFields: string[];
}
