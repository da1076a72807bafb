import type { JsonObject, JsonValue } from "../json/json.js";
import { listAt, objectAt } from "../json/json-fields.js";
import { type GoType, goTypeOfMessage, textOfGoType } from "./internal-types.js";
import { goDate, goQuantity } from "./literals.js";
import { someAddress } from "./pointer.js";
import { goQuote } from "./quote.js";

/** Returns a value of a message as Go's `%#v` writes it, which v1.29 shows in errors about whole structs. */
export function goSyntax(message: string, value: JsonValue | undefined): string {
  return print(goTypeOfMessage(message), value, true);
}

/** Returns a list of values of a message as Go's `%#v` writes it; an absent one is nil, an empty one is not. */
export function goSyntaxOfList(message: string, list: JsonValue | undefined): string {
  return print({ kind: "slice", of: goTypeOfMessage(message) }, list, true);
}

/** Returns the Go syntax of a value. Only the outermost pointer is followed; those inside are shown as addresses. */
function print(type: GoType, value: JsonValue | undefined, isOutermost = false): string {
  const isNil = value === undefined || value === null;
  const name = textOfGoType(type);
  switch (type.kind) {
    case "pointer":
      if (type.to.kind === "time") {
        return isNil ? "<nil>" : print(type.to, value);
      }
      return isNil ? `(${name})(nil)` : isOutermost ? print(type.to, value) : `(${name})(${someAddress})`;
    case "struct":
      return `${name}{${type
        .fields()
        .map((field) => `${field.name}:${print(field.type, isNil ? undefined : field.read(value as JsonObject))}`)
        .join(", ")}}`;
    case "slice":
      return isNil
        ? `${name}(nil)`
        : `${name}{${listAt(value)
            .map((item) => print(type.of, item))
            .join(", ")}}`;
    case "map":
      return isNil ? `${name}(nil)` : `${name}{${entries(type.of, objectAt(value)).join(", ")}}`;
    default:
      return printScalar(type, value);
  }
}

function entries(type: GoType, map: JsonObject): string[] {
  return Object.keys(map)
    .sort()
    .map((key) => `${goQuote(key)}:${print(type, map[key])}`);
}

function printScalar(type: GoType, value: JsonValue | undefined): string {
  switch (type.kind) {
    case "int":
      return String(value ?? 0);
    case "bool":
      return String(value ?? false);
    case "quantity":
      return value === undefined || value === null ? goZeroQuantity : goQuantity(String(value), type.isListed);
    case "time":
      return goDate(value);
    default:
      return goQuote(String(value ?? ""));
  }
}

const goZeroQuantity = `resource.Quantity{i:resource.int64Amount{value:0, scale:0}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:"", Format:""}`;
