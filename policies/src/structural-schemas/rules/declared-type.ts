import {
  type CelType,
  listType,
  mapType,
  type ObjectField,
  type ObjectType,
  type Range,
  stringType,
} from "../../cel/index.js";
import type { ReadValue } from "./read-value.js";

/**
 * The type of the values that a node of a structural schema allows, as expressions see it, with bounds of their sizes for
 * estimates of cost.
 */
export type DeclaredType = ScalarDeclaration | CollectionDeclaration | ObjectDeclaration;

interface Declaration {
  /** Least number of bytes of a value in JSON. */
  readonly minBytes: number;
  /** Largest number of items of a list, entries of a map, bytes of a text; 0 for everything else. */
  readonly maxElements: bigint;
  /** Turns decoded JSON into the value that expressions see; undefined where they see it as it is. */
  readonly read?: ReadValue | undefined;
}

/** A type without parts. */
export interface ScalarDeclaration extends Declaration {
  readonly kind: "scalar";
  readonly type: CelType;
}

/** A list, or a map from texts. */
export interface CollectionDeclaration extends Declaration {
  readonly kind: "list" | "map";
  readonly elements: DeclaredType;
}

/** An object with the properties that its schema names. */
export interface ObjectDeclaration extends Declaration {
  readonly kind: "object";
  /** The fields by their names in expressions. */
  readonly fields: ReadonlyMap<string, DeclaredField>;
  /** Turns a whole object into the value that expressions compare; undefined where they see it as it is. */
  readonly readWhole: ReadValue | undefined;
}

/** A field of an object, and the property that holds its value. */
export interface DeclaredField {
  readonly property: string;
  readonly type: DeclaredType;
  readonly nullable: boolean;
}

/** Returns the type for the checker. Names of object types below are made from `name`, as v1.29 makes them. */
export function celTypeOf(declared: DeclaredType, name: string): CelType {
  switch (declared.kind) {
    case "scalar":
      return declared.type;
    case "list":
      return listType(celTypeOf(declared.elements, `${name}.@idx`));
    case "map":
      return mapType(stringType, celTypeOf(declared.elements, `${name}.@elem`));
    case "object":
      return new DeclaredObjectType(name, declared);
  }
}

/** An object type whose fields get their types when expressions name them. */
class DeclaredObjectType implements ObjectType {
  readonly kind = "object";
  readonly name: string;
  readonly read?: ReadValue;
  readonly #declared: ReadonlyMap<string, DeclaredField>;
  readonly #fields = new Map<string, ObjectField>();

  constructor(name: string, { fields, readWhole }: ObjectDeclaration) {
    this.name = name;
    this.#declared = fields;
    if (readWhole !== undefined) {
      this.read = readWhole;
    }
  }

  field(name: string): ObjectField | undefined {
    const known = this.#fields.get(name);
    const declared = this.#declared.get(name);
    if (known !== undefined || declared === undefined) {
      return known;
    }
    const { property, type } = declared;
    const { read } = type;
    const field: ObjectField = {
      type: celTypeOf(type, `${this.name}.${name}`),
      member: property,
      isAbsentIfNull: true,
      ...(read === undefined ? {} : { read }),
    };
    this.#fields.set(name, field);
    return field;
  }
}

/**
 * Returns bounds of the size of the value at a path below a variable of the type; the first step of the path is the name
 * of the variable.
 */
export function sizeAt(declared: DeclaredType, path: readonly string[]): Range | undefined {
  let node: DeclaredType | undefined = declared;
  if (path.length === 0) {
    return undefined;
  }
  for (const step of path.slice(1)) {
    if (step === "@keys") {
      return node.kind === "map" ? { min: 0n, max: 0n } : undefined;
    }
    node = partOf(node, step);
    if (node === undefined) {
      return undefined;
    }
  }
  return { min: 0n, max: BigInt.asUintN(64, node.maxElements) };
}

/** Returns the type of a field by its name in expressions, or that of the elements at `@items` or `@values`. */
export function partOf(declared: DeclaredType, step: string): DeclaredType | undefined {
  if (declared.kind === "object") {
    return declared.fields.get(step)?.type;
  }
  const isElement = step === "@items" || step === "@values";
  return declared.kind !== "scalar" && isElement ? declared.elements : undefined;
}
