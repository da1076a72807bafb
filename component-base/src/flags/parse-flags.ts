import { parseGoBoolean } from "@gatehouse/envelopes/go";
import type { Problem } from "../problems/problem.js";
import { closestName } from "./closest-name.js";
import type { FlagDefinition, FlagTable, FlagValues } from "./flag-definition.js";
import { type AnyFlagValue, defaultFlagValue, parseFlagValue } from "./parse-flag-value.js";

/** The result of reading a command line. `help` and `version` win over everything else, also over problems. */
export type ParsedFlags<T extends FlagTable> =
  | { readonly outcome: "help" }
  | { readonly outcome: "version" }
  | { readonly outcome: "invalid"; readonly problems: readonly Problem[]; readonly operands: readonly string[] }
  | {
      readonly outcome: "run";
      readonly values: FlagValues<T>;
      /** Arguments that are neither flags nor values of flags, in their order. */
      readonly operands: readonly string[];
      /** Names of the flags that were given, to tell a default from the same value said aloud. */
      readonly given: ReadonlySet<string>;
      /** Sentences for the operator: flags in use that are deprecated or have no effect. */
      readonly warnings: readonly string[];
    };

/**
 * Reads a command line (without the program's name) as kube-apiserver reads its own: `--a=b`, `--a b`, `--bool`,
 * `--bool=false`, `-v 2`, underscores for dashes, `--` to end the flags. Lists every problem at once; an operand beyond
 * `maxOperands` is one.
 */
export function parseFlags<T extends FlagTable>(table: T, argv: readonly string[], maxOperands = 0): ParsedFlags<T> {
  const reader = new FlagReader(table, maxOperands);
  for (let index = 0; index < argv.length; index++) {
    const argument = argv[index] ?? "";
    if (argument === "--") {
      for (const operand of argv.slice(index + 1)) {
        reader.takeOperand(operand);
      }
      break;
    }
    const used = reader.read(argument, argv[index + 1]);
    if (used === "help" || used === "version") {
      return { outcome: used };
    }
    index += used;
  }
  return reader.finish();
}

/** A flag as found in an argument: its name, and its value when that stands in the same argument. */
interface FlagSpelling {
  readonly name: string;
  /** The flag as the operator wrote it. */
  readonly spelling: string;
  readonly inlineValue: string | undefined;
}

class FlagReader<T extends FlagTable> {
  readonly #definitions: ReadonlyMap<string, FlagDefinition>;
  readonly #shorthands = new Map<string, string>();
  readonly #given = new Map<string, AnyFlagValue>();
  readonly #problems: Problem[] = [];
  readonly #warnings: string[] = [];
  readonly #operands: string[] = [];
  readonly #maxOperands: number;

  constructor(table: T, maxOperands: number) {
    this.#maxOperands = maxOperands;
    this.#definitions = new Map(Object.entries(table));
    for (const [name, { shorthand }] of this.#definitions) {
      if (shorthand !== undefined) {
        this.#shorthands.set(shorthand, name);
      }
    }
  }

  /** Reads one argument; tells how many further arguments it used up. */
  read(argument: string, next: string | undefined): number | "help" | "version" {
    const found = this.#spellingOf(argument);
    if (found === undefined || found === "help") {
      return found ?? 0;
    }
    const { name, inlineValue } = found;
    const definition = this.#definitions.get(name);
    if (definition === undefined) {
      return name === "help" || name === "version" ? this.#readOwn(name, inlineValue) : this.#readUnknown(found, next);
    }
    if (inlineValue !== undefined || definition.type === "bool") {
      this.#setValue(name, definition, inlineValue ?? "true");
      return 0;
    }
    if (next === undefined) {
      this.#addProblem(`--${name}`, `flag needs an argument: --${name}`);
      return 0;
    }
    this.#setValue(name, definition, next);
    return 1;
  }

  takeOperand(operand: string): void {
    if (this.#operands.length < this.#maxOperands) {
      this.#operands.push(operand);
    } else {
      this.#addProblem(operand, `unexpected argument: ${JSON.stringify(operand)}`);
    }
  }

  finish(): ParsedFlags<T> {
    if (this.#problems.length > 0) {
      return { outcome: "invalid", problems: this.#problems, operands: this.#operands };
    }
    const values: Record<string, AnyFlagValue> = {};
    for (const [name, definition] of this.#definitions) {
      if (definition.unsupported === undefined && definition.ignored === undefined) {
        values[name] = this.#given.has(name) ? this.#given.get(name) : defaultFlagValue(definition);
      }
    }
    // Each value was produced for its definition's type by parseFlagValue; the compiler cannot follow that by name.
    const given = new Set(this.#given.keys());
    const shared = { operands: this.#operands, warnings: this.#warnings };
    return { outcome: "run", values: values as FlagValues<T>, given, ...shared };
  }

  /**
   * Returns the flag in an argument; undefined for an argument without a usable one, which is an operand or noted as a
   * problem.
   */
  #spellingOf(argument: string): FlagSpelling | "help" | undefined {
    const match = /^(--?)([^=]*)(?:=([\s\S]*))?$/.exec(argument);
    if (match === null || argument === "-") {
      this.takeOperand(argument);
      return undefined;
    }
    const [, dashes = "", spelled = "", inlineValue] = match;
    if (dashes === "-") {
      return this.#shorthandOf(argument, spelled, inlineValue);
    }
    const name = spelled.replaceAll("_", "-");
    if (name === "" || name.startsWith("-")) {
      this.#addProblem(argument, `bad flag syntax: ${argument}`);
      return undefined;
    }
    return { name, spelling: `--${spelled}`, inlineValue };
  }

  /** `-v 2`, `-v=2` and `-v2` are the same. */
  #shorthandOf(argument: string, spelled: string, value: string | undefined): FlagSpelling | "help" | undefined {
    const letter = spelled.slice(0, 1);
    if (letter === "h" && spelled.length === 1) {
      return "help";
    }
    const name = this.#shorthands.get(letter);
    if (name === undefined) {
      this.#addProblem(`-${letter}`, `unknown shorthand flag: ${JSON.stringify(letter)} in ${argument}`);
      return undefined;
    }
    const inlineValue = value ?? (spelled.length > 1 ? spelled.slice(1) : undefined);
    return { name, spelling: `-${letter}`, inlineValue };
  }

  /** `--version=false` and `--help=false` ask for nothing; every other value asks for the text. */
  #readOwn(name: "help" | "version", value: string | undefined): 0 | "help" | "version" {
    return value !== undefined && parseGoBoolean(value) === false ? 0 : name;
  }

  #readUnknown({ name, spelling, inlineValue }: FlagSpelling, next: string | undefined): number {
    const guess = closestName(name, this.#definitions.keys());
    const hint = guess === undefined ? "" : `, did you mean --${guess}?`;
    this.#addProblem(spelling, `unknown flag: ${spelling}${hint}`);
    // What follows is most likely its value; to complain about that, too, would only hide the cause.
    return inlineValue === undefined && next !== undefined && !next.startsWith("-") ? 1 : 0;
  }

  #setValue(name: string, definition: FlagDefinition, text: string): void {
    const parsed = parseFlagValue(definition, text, this.#given.get(name));
    const isFirst = !this.#given.has(name);
    if (!parsed.valid) {
      this.#addProblem(`--${name}`, `invalid argument ${JSON.stringify(text)} for "--${name}" flag: ${parsed.reason}`);
      return;
    }
    if (definition.unsupported !== undefined && !isDefault(definition, parsed.value)) {
      this.#addProblem(`--${name}`, `flag --${name} is not supported: ${definition.unsupported}`);
    }
    if (definition.deprecated !== undefined && isFirst) {
      this.#warnings.push(`Flag --${name} has been deprecated, ${definition.deprecated}`);
    }
    if (definition.ignored !== undefined && isFirst && !isDefault(definition, parsed.value)) {
      this.#warnings.push(`Flag --${name} has no effect: ${definition.ignored}`);
    }
    this.#given.set(name, parsed.value);
  }

  #addProblem(path: string, message: string): void {
    this.#problems.push({ path, message });
  }
}

function isDefault(definition: FlagDefinition, value: AnyFlagValue): boolean {
  return comparable(defaultFlagValue(definition)) === comparable(value);
}

function comparable(value: AnyFlagValue): string {
  return JSON.stringify(value instanceof Map ? [...value].sort() : (value ?? null));
}
