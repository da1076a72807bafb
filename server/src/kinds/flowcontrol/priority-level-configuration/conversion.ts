import { type Conversion, metadataWith } from "@gatehouse/apiserver/conversion";
import { integerAt, isSet, type JsonObject, objectAt } from "@gatehouse/envelopes/json";
import { preserveZeroSharesAnnotation } from "@gatehouse/envelopes/kind-defaults";

/** The conversion of v1, which is stored in the form of v1beta3. */
export const priorityLevelConversion: Conversion = {
  toStored: priorityLevelToBeta3,
  fromStored: priorityLevelFromBeta3,
};

/**
 * Sets the annotation for zero shares in a level of v1beta3 if its shares are zero, and removes it otherwise, whatever
 * the client has sent.
 */
export function markZeroShares(level: JsonObject): void {
  const { metadata } = priorityLevelToBeta3(level);
  level["metadata"] = metadata ?? {};
}

/** Returns a level of v1beta3 from one of v1: zero shares get an annotation. */
function priorityLevelToBeta3(object: JsonObject): JsonObject {
  const limited = objectAt(object, "spec", "limited");
  const isZero = isSet(object, "spec", "limited") && Number(integerAt(limited, "nominalConcurrencyShares")) === 0;
  return withMark(object, isZero);
}

/** Returns a level of v1 from one of v1beta3: zero shares need no annotation. */
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
