import type { NumberRange } from "@gatehouse/apiserver/options";
import { encodeJson, isJsonObject, type JsonValue, textAt } from "@gatehouse/envelopes";
import type { Bitmap } from "./bitmap.js";

/**
 * A RangeAllocation of core/v1, as kube-apiserver keeps it in the store under `ranges/`: the range, and which of its
 * numbers are taken. No client ever sees it.
 */
export interface RangeRecord {
  readonly range: string;
  /** A bitmap as Bitmap.encode makes it. */
  readonly taken: Buffer;
}

/** The stored form of a range; its JSON is what kube-apiserver writes. */
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

/** Reads the stored form of a range. Throws when the value is no JSON object. */
export function decodeRange(value: Buffer): RangeRecord {
  const record = JSON.parse(value.toString()) as JsonValue;
  if (!isJsonObject(record)) {
    throw new Error("what is stored in the place of a RangeAllocation is something else");
  }
  return { range: textAt(record, "range"), taken: Buffer.from(textAt(record, "data"), "base64") };
}
