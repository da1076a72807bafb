import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  nullType,
  opaqueType,
  optionalType,
  stringType,
  timestampType,
  uintType,
} from "../types/cel-type.js";

/** A signature such as `string.(int) -> bool`, read. */
export interface Signature {
  readonly isMember: boolean;
  /** Types of the arguments, the target of a member function first. */
  readonly argumentTypes: readonly CelType[];
  readonly resultType: CelType;
  /** Names of the type parameters, each once. */
  readonly parameters: readonly string[];
}

const simpleTypes: ReadonlyMap<string, CelType> = new Map([
  ["bool", boolType],
  ["bytes", bytesType],
  ["double", doubleType],
  ["duration", durationType],
  ["dyn", dynType],
  ["int", intType],
  ["null", nullType],
  ["string", stringType],
  ["timestamp", timestampType],
  ["uint", uintType],
]);

/** Reads a signature, of which libraries define the types that are not part of the language. Throws TypeError. */
export function readSignature(text: string, typesByName: ReadonlyMap<string, CelType>): Signature {
  const tokens = text.match(/[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*|->|\S/g) ?? [];
  const parameters = new Set<string>();
  let position = 0;

  function expect(token: string): void {
    if (tokens[position++] !== token) {
      throw new TypeError(`signature ${text}: "${token}" expected`);
    }
  }

  function readTypes(): CelType[] {
    const types: CelType[] = [];
    expect("(");
    while (tokens[position] !== ")") {
      if (types.length > 0) {
        expect(",");
      }
      types.push(readType());
    }
    expect(")");
    return types;
  }

  function readType(): CelType {
    const name = tokens[position++] ?? "";
    if (/^[A-Z]$/.test(name)) {
      parameters.add(name);
      return { kind: "parameter", name };
    }
    const parts = tokens[position] === "(" ? readTypes() : [];
    const type = typeOf(name, parts, typesByName);
    if (!type) {
      throw new TypeError(`signature ${text}: there is no type ${name} of ${parts.length} parameters`);
    }
    return type;
  }

  const target = tokens[position] === "(" ? undefined : readType();
  if (target) {
    expect(".");
  }
  const rest = readTypes();
  expect("->");
  const resultType = readType();
  if (position !== tokens.length) {
    throw new TypeError(`signature ${text}: nothing more expected after the type of the result`);
  }
  return {
    isMember: target !== undefined,
    argumentTypes: target ? [target, ...rest] : rest,
    resultType,
    parameters: [...parameters],
  };
}

function typeOf(
  name: string,
  parts: readonly CelType[],
  typesByName: ReadonlyMap<string, CelType>,
): CelType | undefined {
  const [first, second] = parts;
  if (name === "type" && parts.length <= 1) {
    return { kind: "type", of: first };
  }
  if (name === "list" && first && parts.length === 1) {
    return listType(first);
  }
  if (name === "map" && first && second && parts.length === 2) {
    return mapType(first, second);
  }
  if (name === "optional" && first && parts.length === 1) {
    return optionalType(first);
  }
  const named = simpleTypes.get(name) ?? typesByName.get(name);
  if (named?.kind === "opaque" && named.parameters.length === parts.length) {
    return opaqueType(name, ...parts);
  }
  return parts.length === 0 ? named : undefined;
}
