import { type CelType, listType, mapType, opaqueType, optionalType } from "./cel-type.js";

const noParts: readonly CelType[] = [];

/** Returns the types that a type is made of: the elements of a list, the keys and values of a map. */
export function partsOf(type: CelType): readonly CelType[] {
  switch (type.kind) {
    case "list":
      return [type.elements];
    case "map":
      return [type.keys, type.values];
    case "optional":
      return [type.value];
    case "type":
      return type.of ? [type.of] : noParts;
    case "opaque":
      return type.parameters;
    default:
      return noParts;
  }
}

/** Returns the type with each of its parts replaced; the type itself if no part changes. */
export function replaceParts(type: CelType, replace: (part: CelType) => CelType): CelType {
  const before = partsOf(type);
  if (before.length === 0) {
    return type;
  }
  const after = before.map(replace);
  const [first, second] = after;
  if (!first || after.every((part, index) => part === before[index])) {
    return type;
  }
  switch (type.kind) {
    case "list":
      return listType(first);
    case "map":
      return mapType(first, second ?? first);
    case "optional":
      return optionalType(first);
    case "type":
      return { kind: "type", of: first };
    case "opaque":
      return opaqueType(type.name, ...after);
    default:
      return type;
  }
}
