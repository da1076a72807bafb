import { type CelType, isWrapperType } from "./cel-type.js";
import { partsOf } from "./type-parts.js";

/** Names that messages about mistakes have for types, where they differ from the names of the types. */
const namesInMessages: Readonly<Record<string, string>> = {
  any: "any",
  duration: "duration",
  error: "!error!",
  null: "null",
  timestamp: "timestamp",
};

const namesOfScalars: Readonly<Record<string, string>> = {
  any: "google.protobuf.Any",
  duration: "google.protobuf.Duration",
  null: "null_type",
  timestamp: "google.protobuf.Timestamp",
};

/** Returns the text of a type in messages about mistakes: `map(string, timestamp)`. */
export function typeText(type: CelType): string {
  return namesInMessages[type.kind] ?? withParts(type, typeText);
}

/** Returns the text of the type of a whole expression: `map(string, google.protobuf.Timestamp)`. */
export function qualifiedTypeText(type: CelType): string {
  return withParts(type, qualifiedTypeText);
}

/** Returns the name of a type without its parts: `map`, `null_type`, `google.protobuf.Timestamp`. */
export function typeName(type: CelType): string {
  switch (type.kind) {
    case "object":
    case "opaque":
    case "parameter":
      return type.name;
    default:
      return namesOfScalars[type.kind] ?? type.kind;
  }
}

function withParts(type: CelType, text: (part: CelType) => string): string {
  if (isWrapperType(type)) {
    return `wrapper(${typeName(type)})`;
  }
  const parts = partsOf(type);
  return parts.length === 0 ? typeName(type) : `${typeName(type)}(${parts.map(text).join(", ")})`;
}
