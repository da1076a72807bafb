import type { NumberRange } from "@gatehouse/apiserver/options";
import { encodeJson } from "@gatehouse/envelopes/codec";
import { isJsonObject, type JsonValue, textAt } from "@gatehouse/envelopes/json";
import type { Bitmap } from "./bitmap.js";

/**
 * A RangeAllocation of core/v1, as kube-apiserver keeps it in the store under `ranges/`: the range and its taken
 * numbers. No client ever sees it.
 */
export interface RangeRecord {
  readonly range: string;
  /** The bitmap of taken numbers, as encoded by Bitmap.encode. */
  readonly taken: Buffer;
}

/** Encodes the stored form of a range; its JSON is that of kube-apiserver. */
export function encodeRange(range: NumberRange, taken: Bitmap): Buffer {
  return Buffer.from(
    encodeJson({
      kind: "RangeAllocation",
      apiVersion: "v1",
      metadata: { creationTimestamp: null },
      range: range.text,
      data: taken.encode().toString("base64"),
    }),
  );
}

/** Decodes the stored form of a range. Throws when the value is no JSON object. */
export function decodeRange(value: Buffer): RangeRecord {
  const record = JSON.parse(value.toString()) as JsonValue;
  if (!isJsonObject(record)) {
    throw new Error("what is stored in the place of a RangeAllocation is something else");
  }
  return { range: textAt(record, "range"), taken: Buffer.from(textAt(record, "data"), "base64") };
}
