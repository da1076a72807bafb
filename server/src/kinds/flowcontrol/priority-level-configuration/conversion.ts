import type { Conversion } from "@gatehouse/apiserver/conversion";
import { metadataWith } from "@gatehouse/apiserver/conversion";
import { integerAt, isSet, type JsonObject, objectAt, preserveZeroSharesAnnotation } from "@gatehouse/envelopes";

/** v1 is stored in the older form. */
export const priorityLevelConversion: Conversion = {
  toStored: priorityLevelToBeta3,
  fromStored: priorityLevelFromBeta3,
};

/** In v1beta3 the mark is there exactly where it means something, whatever the client has sent. */
export function markZeroShares(level: JsonObject): void {
  const { metadata } = priorityLevelToBeta3(level);
  level["metadata"] = metadata ?? {};
}

/** v1beta3 from v1: a share of zero is marked as such. */
function priorityLevelToBeta3(object: JsonObject): JsonObject {
  const limited = objectAt(object, "spec", "limited");
  const isZero = isSet(object, "spec", "limited") && Number(integerAt(limited, "nominalConcurrencyShares")) === 0;
  return withMark(object, isZero);
}

/** v1 from v1beta3: zero needs no mark. */
function priorityLevelFromBeta3(object: JsonObject): JsonObject {
  return withMark(object, false);
}

function withMark(object: JsonObject, marked: boolean): JsonObject {
  const annotations = { ...objectAt(object, "metadata", "annotations") };
  if (marked) {
    annotations[preserveZeroSharesAnnotation] = "";
  } else {
    delete annotations[preserveZeroSharesAnnotation];
  }
  return { ...object, metadata: metadataWith(object, annotations) };
}
