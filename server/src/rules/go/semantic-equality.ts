import type { JsonArray, JsonObject, JsonValue } from "@gatehouse/envelopes";
import { isSameQuantity } from "./difference.js";
import { type GoType, goStruct } from "./shape.js";

/**
 * Whether two values of a message say the same, as v1.29 finds out whether something has changed: no list is as good as
 * an empty one, quantities count by their amount; but a pointer to an empty struct is something, and none is not.
 */
export function isSemanticallyEqual(message: string, a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  return isEqual(goStruct(message), a, b);
}

function isEqual(type: GoType, a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b && type.kind !== "struct") {
    return true;
  }
  switch (type.kind) {
    case "pointer":
      return isNil(a) || isNil(b) ? isNil(a) && isNil(b) : isEqual(type.to, a, b);
    case "struct": {
      const x = (a ?? {}) as JsonObject;
      const y = (b ?? {}) as JsonObject;
      return x === y || type.fields().every((field) => isEqual(field.type, field.read(x), field.read(y)));
    }
    case "slice": {
      const x = (a ?? []) as JsonArray;
      const y = (b ?? []) as JsonArray;
      return x.length === y.length && x.every((item, index) => isEqual(type.of, item, y[index]));
    }
    case "map":
      return isSameMap(type.of, (a ?? {}) as JsonObject, (b ?? {}) as JsonObject);
    case "quantity":
      return isSameQuantity(a, b);
    case "int":
      return Number(a ?? 0) === Number(b ?? 0);
    case "bool":
      return (a ?? false) === (b ?? false);
    default:
      return (a ?? "") === (b ?? "");
  }
}

function isSameMap(type: GoType, a: JsonObject, b: JsonObject): boolean {
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && isEqual(type, a[key], b[key]))
  );
}

function isNil(value: JsonValue | undefined): boolean {
  return value === undefined || value === null;
}
