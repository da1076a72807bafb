import type { Library, Overload } from "../libraries/library.js";
import type { CelType } from "../types/cel-type.js";

/** An overload with its signature read. */
export interface DeclaredOverload {
  readonly functionName: string;
  readonly isMember: boolean;
  /** Types of the arguments, the target of a member function first. */
  readonly argumentTypes: readonly CelType[];
  readonly resultType: CelType;
  /** Names of the type parameters. */
  readonly parameters: readonly string[];
  readonly overload: Overload;
}

/** The names that an expression may use. Immutable; `withVariables` shares everything else. */
export class Declarations {
  /** Declares the functions and types of libraries, of which a later one may add overloads to an earlier one's functions. */
  static of(libraries: readonly Library[]): Declarations {
    throw new Error(`to be written: ${libraries}`);
  }

  /** Returns these declarations and variables of the given types. */
  withVariables(variables: ReadonlyMap<string, CelType>): Declarations {
    throw new Error(`to be written: ${variables}`);
  }

  /** Returns the type of a variable; undefined if there is none of that name. */
  variable(name: string): CelType | undefined {
    throw new Error(`to be written: ${name}`);
  }

  /** Returns the type that a name stands for (`int`, `google.protobuf.Timestamp`); undefined if there is none. */
  namedType(name: string): CelType | undefined {
    throw new Error(`to be written: ${name}`);
  }

  /** Returns the overloads of a function; undefined if there is none of that name. */
  overloads(functionName: string): readonly DeclaredOverload[] | undefined {
    throw new Error(`to be written: ${functionName}`);
  }
}
