import { encodeJson } from "@gatehouse/envelopes/codec";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { toText } from "../values/conversion.js";
import { toJson } from "../values/json.js";
import { type CelValue, Duration, Optional, Timestamp } from "../values/value.js";

/** Returns the text that shows a value to people, near to how an expression would write it. */
export function valueText(value: CelValue): string {
  if (value instanceof Timestamp || value instanceof Duration) {
    return `${value instanceof Timestamp ? "timestamp" : "duration"}(${JSON.stringify(toText(value))})`;
  }
  if (value instanceof Optional) {
    return value.value === undefined ? "optional.none()" : `optional.of(${valueText(value.value)})`;
  }
  const json = toJson(value);
  const isText = typeof value === "string" || value instanceof Uint8Array;
  return typeof json === "string" && !isText ? json : encodeJson(json as JsonObject);
}
