import { isSameState } from "@gatehouse/envelopes/go";
import {
  integerAt,
  isJsonObject,
  isSet,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  textAt,
} from "@gatehouse/envelopes/json";

/** Returns the tolerations of both lists without superfluous ones. The first of equal ones stays. */
export function mergeTolerations(first: JsonArray, second: JsonArray): JsonObject[] {
  const all = [...first, ...second].filter(isJsonObject);
  const merged: JsonObject[] = [];
  for (const [index, toleration] of all.entries()) {
    const isCovered =
      merged.some((kept) => covers(kept, toleration)) ||
      all.slice(index + 1).some((later) => !isSameState(toleration, later) && covers(later, toleration));
    if (!isCovered) {
      merged.push(toleration);
    }
  }
  return merged;
}

/** Reports whether each toleration is covered by one of the allowed ones. An empty list allows all. */
export function areTolerationsAllowed(tolerations: JsonArray, allowed: JsonArray): boolean {
  return allowed.length === 0 || tolerations.every((toleration) => allowed.some((wider) => covers(wider, toleration)));
}

/**
 * Reports whether `wider` tolerates all that `toleration` does. v1.29's answer, also where that is only an
 * approximation.
 */
function covers(wider: JsonValue, toleration: JsonValue): boolean {
  if (isSameState(wider, toleration)) {
    return true;
  }
  const key = textAt(wider, "key");
  const operator = textAt(wider, "operator");
  const effect = textAt(wider, "effect");
  if (key !== textAt(toleration, "key") && (key !== "" || operator !== "Exists")) {
    return false;
  }
  if (effect !== "" && effect !== textAt(toleration, "effect")) {
    return false;
  }
  if (effect === "NoExecute" && isSet(wider, "tolerationSeconds") && !lastsNoLonger(toleration, wider)) {
    return false;
  }
  switch (operator) {
    case "":
    case "Equal":
      return textAt(toleration, "operator") === "Equal" && textAt(wider, "value") === textAt(toleration, "value");
    default:
      return operator === "Exists";
  }
}

function lastsNoLonger(toleration: JsonValue, wider: JsonValue): boolean {
  return (
    isSet(toleration, "tolerationSeconds") &&
    integerAt(toleration, "tolerationSeconds") <= integerAt(wider, "tolerationSeconds")
  );
}
