import type { FlagDefinition, FlagTable } from "./flag-definition.js";
import { parseFlagValue } from "./parse-flag-value.js";

const flagName = /^[a-z][a-z0-9]*([-.][a-z0-9]+)*$/;

/**
 * Declares a program's flags as data. The literal types are kept, so that `parseFlags` can type each value.
 * Throws TypeError for a table that contradicts itself.
 *
 * @example
 * const flags = defineFlags({
 *   "secure-port": { type: "int", default: 6443, min: 0, max: 65535, group: "Secure serving", help: "Port to serve on." },
 * });
 */
export function defineFlags<const T extends FlagTable>(table: T): T {
  const shorthands = new Set<string>();
  for (const [name, definition] of Object.entries<FlagDefinition>(table)) {
    if (!flagName.test(name) || name === "help" || name === "version") {
      throw new TypeError(`flag name ${JSON.stringify(name)} cannot be used`);
    }
    const shorthand = definition.shorthand;
    if (shorthand !== undefined) {
      if (!/^[a-z]$/i.test(shorthand) || shorthand === "h" || shorthands.has(shorthand)) {
        throw new TypeError(`flag --${name}: shorthand ${JSON.stringify(shorthand)} cannot be used`);
      }
      shorthands.add(shorthand);
    }
    checkDefault(name, definition);
  }
  return Object.freeze(table);
}

function checkDefault(name: string, definition: FlagDefinition): void {
  if (definition.default === undefined) {
    return;
  }
  for (const text of defaultTexts(definition)) {
    const parsed = parseFlagValue(definition, text, undefined);
    if (!parsed.valid) {
      throw new TypeError(`flag --${name}: default ${JSON.stringify(text)}: ${parsed.reason}`);
    }
  }
}

function defaultTexts(definition: FlagDefinition): readonly string[] {
  switch (definition.type) {
    case "stringList":
      return definition.default ?? [];
    case "keyValue":
      return Object.entries(definition.default ?? {}).map(([key, value]) => `${key}=${value}`);
    default:
      return [String(definition.default)];
  }
}
