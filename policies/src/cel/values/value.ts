import type { JsonObject } from "@gatehouse/envelopes/json";

/**
 * A value of the expression language. Decoded JSON is used in place: objects, lists, strings, booleans, null, and numbers.
 * A whole number is an `int`: a JavaScript number if it is safe, a bigint beyond (see `intValue`). A number that is not
 * whole is a `double`; a double that happens to be whole is boxed (see `doubleValue`).
 */
export type CelValue =
  | null
  | boolean
  | string
  | number
  | bigint
  | Uint8Array
  | BoxedDouble
  | Uint
  | Timestamp
  | Duration
  | TypeValue
  | Optional
  | OpaqueValue
  | CelList
  | CelMap
  | CelObject
  | JsonObject
  | readonly CelValue[];

/** A double that is a whole number, which a JavaScript number could not be told from an int. */
export class BoxedDouble {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

/** An unsigned integer of 64 bits. */
export class Uint {
  readonly value: bigint;

  constructor(value: bigint) {
    this.value = value;
  }
}

/** A point in time, in nanoseconds since 1970. */
export class Timestamp {
  readonly nanoseconds: bigint;
  /** The offset of the zone in which its text is written; no other operation looks at it. */
  readonly offsetMinutes: number;

  constructor(nanoseconds: bigint, offsetMinutes = 0) {
    this.nanoseconds = nanoseconds;
    this.offsetMinutes = offsetMinutes;
  }
}

/** A length of time in nanoseconds. */
export class Duration {
  readonly nanoseconds: bigint;

  constructor(nanoseconds: bigint) {
    this.nanoseconds = nanoseconds;
  }
}

/** A type as a value: of `type(1)`, or of the name `int`. */
export class TypeValue {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** A value that may be absent. */
export class Optional {
  /** The value; undefined if it is absent. */
  readonly value: CelValue | undefined;

  constructor(value: CelValue | undefined) {
    this.value = value;
  }
}

/** A value that only functions look into, such as a quantity or an authorizer. */
export abstract class OpaqueValue {
  /** The name of its type. */
  abstract readonly typeName: string;

  /** Returns true if the values are equal; called with a value of the same type name. */
  abstract equals(other: OpaqueValue): boolean;
}

/** A list whose equality or sum differs from those of a plain list, such as one that is a set. */
export abstract class CelList {
  abstract readonly items: readonly CelValue[];

  abstract equals(other: readonly CelValue[]): boolean;

  /** Returns the sum of this list and another, `this + other`. */
  abstract concat(other: readonly CelValue[]): CelValue;
}

/** A map that an expression has made. Its keys are those that `maps.ts` makes of values; a text is its own key. */
export class CelMap {
  readonly entries: ReadonlyMap<CelValue, CelValue>;

  constructor(entries: ReadonlyMap<CelValue, CelValue>) {
    this.entries = entries;
  }
}

/** An object whose fields are found or computed when they are read, such as the variables of a policy. */
export abstract class CelObject {
  abstract readonly typeName: string;

  /** Returns the value of a field; undefined if it has none. Throws EvaluationError if the value cannot be computed. */
  abstract field(name: string): CelValue | undefined;

  /** Returns the value of a field if it is known already; undefined if `field` has to tell. */
  known(_name: string): CelValue | undefined {
    return undefined;
  }
}
