import type { FunctionDefinition, Library, Overload, Settings } from "../libraries/library.js";
import type { MessageType } from "../libraries/message-type.js";
import type { CelType } from "../types/cel-type.js";
import { isSameType } from "../types/same-type.js";
import type { CelValue } from "../values/value.js";
import { readSignature } from "./read-signature.js";

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

/** Declarations that libraries make. */
interface LibraryDeclarations {
  readonly functions: Functions;
  readonly types: ReadonlyMap<string, CelType>;
  readonly messages: ReadonlyMap<string, MessageType>;
  readonly constants: ReadonlyMap<string, CelValue>;
  readonly settings: Settings;
}

const defaultSettings: Settings = { presenceTestCost: 1, literalValidators: [] };

/** The names that an expression may use. Immutable; `withVariables` and `withTypes` share everything else. */
export class Declarations {
  readonly #libraries: LibraryDeclarations;
  readonly #variables: ReadonlyMap<string, CelType>;

  private constructor(libraries: LibraryDeclarations, variables: ReadonlyMap<string, CelType>) {
    this.#libraries = libraries;
    this.#variables = variables;
  }

  /** Declares the functions and types of libraries, of which a later one may add overloads to an earlier one's functions. */
  static of(libraries: readonly Library[]): Declarations {
    const types = new Map(libraries.flatMap((library) => [...(library.types ?? [])]));
    const functions = new Functions(
      libraries.flatMap((library) => library.functions),
      types,
    );
    const messages = new Map(
      libraries.flatMap((library) => (library.messages ?? []).map((message) => [message.name, message])),
    );
    const constants = new Map(libraries.flatMap((library) => [...(library.constants ?? [])]));
    const settings = libraries.reduce(withSettings, defaultSettings);
    return new Declarations({ functions, types, messages, constants, settings }, new Map());
  }

  /**
   * Returns these declarations without the costs that only rules of custom resources count. v1.29's admission policies,
   * match conditions, and expressions of authentication know nothing of them.
   */
  withoutRuleCosts(): Declarations {
    return new Declarations(
      { ...this.#libraries, functions: this.#libraries.functions.withoutRuleCosts() },
      this.#variables,
    );
  }

  /** The rules of the language that differ by release. */
  get settings(): Settings {
    return this.#libraries.settings;
  }

  /** Returns these declarations and variables of the given types. */
  withVariables(variables: ReadonlyMap<string, CelType>): Declarations {
    return new Declarations(this.#libraries, new Map([...this.#variables, ...variables]));
  }

  /** Returns these declarations and types that expressions may name, by their names. */
  withTypes(types: ReadonlyMap<string, CelType>): Declarations {
    return new Declarations(
      { ...this.#libraries, types: new Map([...this.#libraries.types, ...types]) },
      this.#variables,
    );
  }

  /** Returns the type of a variable; undefined if there is none of that name. */
  variable(name: string): CelType | undefined {
    return this.#variables.get(name);
  }

  /**
   * Returns the type that a name stands for (`int`, `google.protobuf.Timestamp`); undefined if there is none. Opaque types
   * are named in signatures only.
   */
  namedType(name: string): CelType | undefined {
    const type = this.#libraries.types.get(name) ?? this.message(name)?.type;
    return type?.kind === "opaque" ? undefined : type;
  }

  /** Returns true if the name of a type is also a value, which those of most messages are not. */
  isTypeValue(name: string): boolean {
    return this.#libraries.types.has(name);
  }

  /** Returns the message that a name stands for; undefined if there is none. */
  message(name: string): MessageType | undefined {
    return this.#libraries.messages.get(name);
  }

  /** Returns the value of a constant; undefined if there is none of that name. */
  constant(name: string): CelValue | undefined {
    return this.#libraries.constants.get(name);
  }

  /**
   * Returns the overloads of a function; undefined if there is none of that name. Throws TypeError if a signature cannot be
   * read or is there twice.
   */
  overloads(functionName: string): readonly DeclaredOverload[] | undefined {
    return this.#libraries.functions.overloads(functionName);
  }
}

/** The functions of libraries. Signatures are read when a function is first asked for: few expressions use many. */
class Functions {
  readonly #sources = new Map<string, Overload[]>();
  readonly #types: ReadonlyMap<string, CelType>;
  readonly #declared = new Map<string, readonly DeclaredOverload[]>();

  /** Takes functions; `types` are those that their signatures name. Several of one name are one function. */
  constructor(functions: readonly FunctionDefinition[], types: ReadonlyMap<string, CelType>) {
    this.#types = types;
    for (const { name, overloads } of functions) {
      const known = this.#sources.get(name);
      if (known === undefined) {
        this.#sources.set(name, [...overloads]);
      } else {
        known.push(...overloads);
      }
    }
  }

  withoutRuleCosts(): Functions {
    const functions = [...this.#sources].map(([name, overloads]) => ({ name, overloads: overloads.map(pricedAsCall) }));
    return new Functions(functions, this.#types);
  }

  overloads(functionName: string): readonly DeclaredOverload[] | undefined {
    const known = this.#declared.get(functionName);
    if (known !== undefined) {
      return known;
    }
    const sources = this.#sources.get(functionName);
    if (sources === undefined) {
      return undefined;
    }
    const declared: DeclaredOverload[] = [];
    for (const overload of sources) {
      declareOverload(declared, { functionName, ...readSignature(overload.signature, this.#types), overload });
    }
    this.#declared.set(functionName, declared);
    return declared;
  }
}

/** Returns an overload of which a call costs 1 if its own cost is that of rules. */
function pricedAsCall(overload: Overload): Overload {
  const { cost, costsInRulesOnly, ...rest } = overload;
  return costsInRulesOnly === true ? rest : overload;
}

function declareOverload(declared: DeclaredOverload[], overload: DeclaredOverload): void {
  if (declared.some((other) => isSameForm(other, overload))) {
    throw new TypeError(`${overload.functionName}: ${overload.overload.signature} is declared twice`);
  }
  declared.push(overload);
}

function isSameForm(a: DeclaredOverload, b: DeclaredOverload): boolean {
  return (
    a.isMember === b.isMember &&
    a.argumentTypes.length === b.argumentTypes.length &&
    a.argumentTypes.every((type, index) => isSameType(type, b.argumentTypes[index] ?? b.resultType))
  );
}

function withSettings(settings: Settings, { settings: added }: Library): Settings {
  const literalValidators = [...settings.literalValidators, ...(added?.literalValidators ?? [])];
  return { ...settings, ...added, literalValidators };
}
