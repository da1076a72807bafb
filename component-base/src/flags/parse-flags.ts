import type { Problem } from "../problems/configuration-error.js";
import { closestName } from "./closest-name.js";
import type { FlagDefinition, FlagTable, FlagValues } from "./flag-definition.js";
import { type AnyFlagValue, defaultFlagValue, parseFlagValue } from "./parse-flag-value.js";

/** What a command line asks for. `help` and `version` win over everything else, also over problems. */
export type ParsedFlags<T extends FlagTable> =
  | { readonly outcome: "help" }
  | { readonly outcome: "version" }
  | { readonly outcome: "invalid"; readonly problems: readonly Problem[] }
  | {
      readonly outcome: "run";
      readonly values: FlagValues<T>;
      /** Names of the flags that were given, to tell a default from the same value said aloud. */
      readonly given: ReadonlySet<string>;
      /** Sentences for the operator: deprecated flags in use. */
      readonly warnings: readonly string[];
    };

/**
 * Reads a command line (without the program's name) as kube-apiserver reads its own: `--a=b`, `--a b`, `--bool`,
 * `--bool=false`, `-v 2`, underscores for dashes, `--` to end the flags. Lists every problem at once.
 */
export function parseFlags<T extends FlagTable>(table: T, argv: readonly string[]): ParsedFlags<T> {
  const reader = createReader(table);
  for (let index = 0; index < argv.length; index++) {
    const argument = argv[index] ?? "";
    if (argument === "--") {
      reader.refuseOperands(argv.slice(index + 1));
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

interface Reader<T extends FlagTable> {
  /** Reads one argument; tells how many further arguments it used up. */
  read(argument: string, next: string | undefined): number | "help" | "version";
  refuseOperands(operands: readonly string[]): void;
  finish(): ParsedFlags<T>;
}

function createReader<T extends FlagTable>(table: T): Reader<T> {
  const definitions: ReadonlyMap<string, FlagDefinition> = new Map(Object.entries(table));
  const shorthands = new Map<string, string>();
  for (const [name, { shorthand }] of definitions) {
    if (shorthand !== undefined) {
      shorthands.set(shorthand, name);
    }
  }
  const given = new Map<string, AnyFlagValue>();
  const problems: Problem[] = [];
  const warnings: string[] = [];
  const addProblem = (path: string, message: string): void => {
    problems.push({ path, message });
  };

  function setValue(name: string, definition: FlagDefinition, text: string): void {
    const parsed = parseFlagValue(definition, text, given.get(name));
    const first = !given.has(name);
    if (!parsed.valid) {
      addProblem(`--${name}`, `invalid argument ${JSON.stringify(text)} for "--${name}" flag: ${parsed.reason}`);
      return;
    }
    if (definition.unsupported !== undefined && !isDefault(definition, parsed.value)) {
      addProblem(`--${name}`, `flag --${name} is not supported: ${definition.unsupported}`);
    }
    if (definition.deprecated !== undefined && first) {
      warnings.push(`Flag --${name} has been deprecated, ${definition.deprecated}`);
    }
    given.set(name, parsed.value);
  }

  function readUnknown(spelling: string, guess: string | undefined, inline: boolean, next: string | undefined): number {
    const hint = guess === undefined ? "" : `, did you mean --${guess}?`;
    addProblem(spelling, `unknown flag: ${spelling}${hint}`);
    // What follows is most likely its value; to complain about that, too, would only hide the cause.
    return !inline && next !== undefined && !next.startsWith("-") ? 1 : 0;
  }

  function read(argument: string, next: string | undefined): number | "help" | "version" {
    const match = /^(--?)([^=]*)(?:=([\s\S]*))?$/.exec(argument);
    if (match === null || argument === "-") {
      addProblem(argument, `unexpected argument: ${JSON.stringify(argument)}`);
      return 0;
    }
    const [, dashes = "", rawName = ""] = match;
    let inlineValue = match[3];
    let name = rawName.replaceAll("_", "-");
    if (dashes === "-") {
      const letter = rawName.slice(0, 1);
      if (letter === "h" && rawName.length === 1) {
        return "help";
      }
      const long = shorthands.get(letter);
      if (long === undefined) {
        addProblem(`-${letter}`, `unknown shorthand flag: ${JSON.stringify(letter)} in ${argument}`);
        return 0;
      }
      inlineValue ??= rawName.length > 1 ? rawName.slice(1) : undefined;
      name = long;
    } else if (name === "" || name.startsWith("-")) {
      addProblem(argument, `bad flag syntax: ${argument}`);
      return 0;
    }
    const definition = definitions.get(name);
    if (definition === undefined) {
      if (name === "help" || name === "version") {
        return name;
      }
      return readUnknown(`--${rawName}`, closestName(name, definitions.keys()), inlineValue !== undefined, next);
    }
    if (inlineValue !== undefined || definition.type === "bool") {
      setValue(name, definition, inlineValue ?? "true");
      return 0;
    }
    if (next === undefined) {
      addProblem(`--${name}`, `flag needs an argument: --${name}`);
      return 0;
    }
    setValue(name, definition, next);
    return 1;
  }

  return {
    read,
    refuseOperands(operands) {
      for (const operand of operands) {
        addProblem(operand, `unexpected argument: ${JSON.stringify(operand)}`);
      }
    },
    finish() {
      if (problems.length > 0) {
        return { outcome: "invalid", problems };
      }
      const values: Record<string, AnyFlagValue> = {};
      for (const [name, definition] of definitions) {
        if (definition.unsupported === undefined) {
          values[name] = given.has(name) ? given.get(name) : defaultFlagValue(definition);
        }
      }
      // Each value was produced for its definition's type by parseFlagValue; the compiler cannot follow that by name.
      return { outcome: "run", values: values as FlagValues<T>, given: new Set(given.keys()), warnings };
    },
  };
}

function isDefault(definition: FlagDefinition, value: AnyFlagValue): boolean {
  return comparable(defaultFlagValue(definition)) === comparable(value);
}

function comparable(value: AnyFlagValue): string {
  return JSON.stringify(value instanceof Map ? [...value].sort() : (value ?? null));
}
