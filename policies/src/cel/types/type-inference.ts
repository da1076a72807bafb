import { type CelType, dynType, isWrapperType } from "./cel-type.js";
import { isSameType } from "./same-type.js";
import { partsOf, replaceParts } from "./type-parts.js";
import { typeName } from "./type-text.js";

/**
 * Steps that the inference of one expression's types may take. Types can double with each call of a macro
 * (`.map(x, {x: x})`): without a bound, a short expression could take years.
 */
const maxSteps = 10_000_000;

/** Parts that the type of a node may have. */
const maxTypeSize = 10_000;

/** Thrown when types are too large to be inferred in bounded time. */
export class TypesTooComplex {
  readonly message = "expression is too complex to be type-checked";
}

/**
 * The type parameters of one expression and the types that have been found for them. A question that is answered with
 * false leaves them as they were.
 */
export class TypeInference {
  readonly #bindings = new Map<string, CelType>();
  /** The bindings that the current question has replaced, so that they can be restored. */
  readonly #replaced: { name: string; type: CelType | undefined }[] = [];
  #parameters = 0;
  #steps = 0;

  /** Returns a type parameter that nothing is known of yet. */
  newParameter(): CelType {
    return { kind: "parameter", name: `_var${this.#parameters++}` };
  }

  /** Leaves out the names of so many parameters, so that messages name the next ones as v1.29 does. */
  skipParameters(count: number): void {
    this.#parameters += count;
  }

  /** Returns true if a value of the type `from` may stand where `to` is expected, and binds parameters so that it may. */
  isAssignable(from: CelType, to: CelType): boolean {
    return this.#keepIf(this.#assign(from, to));
  }

  /** Returns true if each value may stand where the type at its index is expected, all at once. */
  areAssignable(from: readonly CelType[], to: readonly CelType[]): boolean {
    return this.#keepIf(this.#assignAll(from, to));
  }

  /** Returns the more general of two types that fit together: `list(dyn)` of it and `list(int)`. */
  moreGeneral(a: CelType, b: CelType): CelType {
    return this.#isAsGeneral(a, b) ? a : b;
  }

  /** Returns the type with all that is known of its parameters put in. */
  resolve(type: CelType): CelType {
    return this.#resolve(type, undefined);
  }

  /** Returns the type with all that is known of its parameters put in, and `dyn` for the others. */
  resolveToDyn(type: CelType): CelType {
    return this.#resolve(type, dynType);
  }

  /** Returns the type; throws TypesTooComplex if it has more parts than the type of a node may have. */
  bounded(type: CelType): CelType {
    let size = 0;
    const count = (part: CelType): void => {
      if (++size > maxTypeSize) {
        throw new TypesTooComplex();
      }
      partsOf(part).forEach(count);
    };
    count(type);
    return type;
  }

  #keepIf(kept: boolean): boolean {
    const replaced = this.#replaced;
    while (replaced.length > 0) {
      const last = replaced.pop();
      if (!kept && last?.type) {
        this.#bindings.set(last.name, last.type);
      } else if (!kept && last) {
        this.#bindings.delete(last.name);
      }
    }
    return kept;
  }

  #bind(parameter: CelType & { kind: "parameter" }, type: CelType): void {
    const { name } = parameter;
    this.#replaced.push({ name, type: this.#bindings.get(name) });
    this.#bindings.set(name, type);
  }

  #step(): void {
    if (++this.#steps > maxSteps) {
      throw new TypesTooComplex();
    }
  }

  #resolve(type: CelType, unknown: CelType | undefined): CelType {
    this.#step();
    if (type.kind === "parameter") {
      const bound = this.#bindings.get(type.name);
      return bound ? this.#resolve(bound, unknown) : (unknown ?? type);
    }
    return replaceParts(type, (part) => this.#resolve(part, unknown));
  }

  #assign(from: CelType, to: CelType): boolean {
    this.#step();
    if (to.kind === "parameter") {
      const fits = this.#substitute(from, to);
      if (fits !== undefined) {
        return fits;
      }
    }
    if (from.kind === "parameter") {
      return this.#substitute(to, from) ?? false;
    }
    if (isDynOrError(from) || isDynOrError(to)) {
      return true;
    }
    if (from.kind === "null") {
      return isNullable(to);
    }
    if (to.kind === "null") {
      return isNullable(from);
    }
    if (from.kind === "type" || to.kind === "type") {
      return from.kind === to.kind;
    }
    return from.kind === to.kind && typeName(from) === typeName(to) && this.#assignAll(partsOf(from), partsOf(to));
  }

  #assignAll(from: readonly CelType[], to: readonly CelType[]): boolean {
    return from.length === to.length && from.every((type, index) => this.#assign(type, to[index] ?? dynType));
  }

  /** Lets the parameter stand for the type. Undefined: it cannot, and stands for nothing else either. */
  #substitute(type: CelType, parameter: CelType & { kind: "parameter" }): boolean | undefined {
    if (isSameType(type, parameter)) {
      return true;
    }
    const bound = this.#bindings.get(parameter.name);
    if (!bound) {
      if (this.#occurs(parameter, type)) {
        return undefined;
      }
      this.#bind(parameter, type);
      return true;
    }
    if (isSameType(type, bound)) {
      return true;
    }
    if (!this.#assign(type, bound)) {
      return false;
    }
    const general = this.moreGeneral(type, bound);
    if (!this.#occurs(parameter, general)) {
      this.#bind(parameter, general);
    }
    return true;
  }

  #occurs(parameter: CelType & { kind: "parameter" }, within: CelType): boolean {
    this.#step();
    if (within.kind !== "parameter") {
      return partsOf(within).some((part) => this.#occurs(parameter, part));
    }
    if (within.name === parameter.name) {
      return true;
    }
    const bound = this.#bindings.get(within.name);
    return bound !== undefined && this.#occurs(parameter, bound);
  }

  #isAsGeneral(a: CelType, b: CelType): boolean {
    this.#step();
    if (isDyn(a) || a.kind === "parameter") {
      return true;
    }
    if (isDyn(b) || b.kind === "parameter" || a.kind !== b.kind) {
      return false;
    }
    if (a.kind === "type") {
      return true;
    }
    const partsOfA = partsOf(a);
    const partsOfB = partsOf(b);
    return (
      typeName(a) === typeName(b) &&
      partsOfA.length === partsOfB.length &&
      partsOfA.every((part, index) => this.#isAsGeneral(part, partsOfB[index] ?? dynType))
    );
  }
}

/** Returns true if the checker knows nothing of values of the type. */
export function isDyn(type: CelType): boolean {
  return type.kind === "dyn" || type.kind === "any";
}

/** Returns true if the checker knows nothing of values of the type, or has told a mistake about them. */
export function isDynOrError(type: CelType): boolean {
  return isDyn(type) || type.kind === "error";
}

/** Returns true if null may stand for a value of the type. */
function isNullable(type: CelType): boolean {
  switch (type.kind) {
    case "null":
    case "object":
    case "opaque":
    case "optional":
    case "duration":
    case "timestamp":
      return true;
    default:
      return isWrapperType(type);
  }
}
