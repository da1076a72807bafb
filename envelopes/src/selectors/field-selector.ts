import { SelectorError } from "../errors.js";
import { goQuote } from "../go/quote.js";

/** A condition on a field of an object. */
export interface FieldRequirement {
  readonly field: string;
  readonly operator: "=" | "!=";
  readonly value: string;
}

/** A test of an object's selectable fields: the conjunction of its requirements. */
export interface FieldSelector {
  readonly requirements: readonly FieldRequirement[];
  /** True if every object matches. */
  readonly matchesEverything: boolean;
  /** Reports whether an object matches; `fieldValue` returns the text of a field, empty when it is not set. */
  matches(fieldValue: (field: string) => string): boolean;
  /** Returns the value that a field must have, if the selector demands exactly one. */
  exactValue(field: string): string | undefined;
  /** Returns the canonical selector text. */
  toString(): string;
}

/** Parses the `fieldSelector` of a request: `a=b,c!=d`, with `\` before `\`, `,` and `=` in values. Throws SelectorError. */
export function parseFieldSelector(text: string): FieldSelector {
  const terms = splitTerms(text)
    .sort()
    .filter((term) => term !== "");
  return fieldSelectorOf(terms.map((term) => parseTerm(text, term)));
}

/** The selector that all requirements make together. */
export function fieldSelectorOf(requirements: readonly FieldRequirement[]): FieldSelector {
  const tests = fieldTests(requirements);
  return {
    requirements,
    matchesEverything: requirements.length === 0,
    matches: (fieldValue) => {
      for (const test of tests) {
        const value = fieldValue(test.field);
        if ((test.value !== undefined && value !== test.value) || test.denied.has(value)) {
          return false;
        }
      }
      return true;
    },
    exactValue: (field) =>
      requirements.find((requirement) => requirement.field === field && requirement.operator === "=")?.value,
    toString: () =>
      requirements
        .map((requirement) => `${requirement.field}${requirement.operator}${escapeFieldValue(requirement.value)}`)
        .join(","),
  };
}

/** The combined demands of all requirements on one field, so that repeating them costs nothing. */
interface FieldTest {
  readonly field: string;
  /** The value that the field must have, if one is demanded. */
  value: string | undefined;
  readonly denied: Set<string>;
}

function fieldTests(requirements: readonly FieldRequirement[]): FieldTest[] {
  const tests = new Map<string, FieldTest>();
  for (const { field, operator, value } of requirements) {
    const test = tests.get(field) ?? { field, value: undefined, denied: new Set<string>() };
    tests.set(field, test);
    if (operator === "!=") {
      test.denied.add(value);
    } else if (test.value === undefined) {
      test.value = value;
    } else if (test.value !== value) {
      // Two different values at once: neither may be.
      test.denied.add(test.value);
    }
  }
  return [...tests.values()];
}

/** The selectable fields of a kind. */
export interface SelectableFields {
  readonly supported: readonly string[];
  /** Further names under which clients may select a supported field. */
  readonly aliases?: ReadonlyMap<string, string>;
  /** Returns the message for any other field; `fieldLabelNotSupported` by default. */
  readonly notSupported?: (field: string) => string;
}

/** Returns the selector with aliases replaced. Throws SelectorError for a field that the kind does not offer. */
export function resolveFieldLabels(selector: FieldSelector, fields: SelectableFields): FieldSelector {
  // v1.29 takes "nothing is nothing" for true of everything.
  const telling = selector.requirements.filter(({ field, value }) => field !== "" || value !== "");
  const requirements = telling.map((requirement) => {
    const alias = fields.aliases?.get(requirement.field);
    if (alias === undefined && !fields.supported.includes(requirement.field)) {
      const message = (fields.notSupported ?? fieldLabelNotSupported)(requirement.field);
      throw new SelectorError(message);
    }
    return { ...requirement, field: alias ?? requirement.field };
  });
  return fieldSelectorOf(requirements);
}

/** Returns the message of kinds with selectable fields of their own, and of custom resources. */
export function fieldLabelNotSupported(field: string): string {
  return `field label not supported: ${field}`;
}

/** The message of built-in kinds that offer name and namespace only. */
export function unknownFieldSelector(field: string): string {
  return `${goQuote(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`;
}

/** Returns a value as it must be written in selector text. */
export function escapeFieldValue(value: string): string {
  return value.replace(/[\\,=]/g, "\\$&");
}

function splitTerms(text: string): string[] {
  const terms: string[] = [];
  let start = 0;
  for (let position = 0; position < text.length; position++) {
    const character = text.charAt(position);
    if (character === "\\") {
      position++;
    } else if (character === ",") {
      terms.push(text.slice(start, position));
      start = position + 1;
    }
  }
  terms.push(text.slice(start));
  return terms;
}

function parseTerm(selector: string, term: string): FieldRequirement {
  // Fields know no escapes, so the first operator is the one that counts.
  const match = /!=|==|=/.exec(term);
  if (match === null) {
    throw new SelectorError(`invalid selector: '${selector}'; can't understand '${term}'`);
  }
  return {
    field: term.slice(0, match.index),
    operator: match[0] === "!=" ? "!=" : "=",
    value: unescapeValue(term.slice(match.index + match[0].length)),
  };
}

function unescapeValue(text: string): string {
  let value = "";
  for (let position = 0; position < text.length; position++) {
    const character = text.charAt(position);
    if (character === "," || character === "=") {
      // The message gives the character's code, as kube-apiserver's does.
      throw new SelectorError(`invalid field selector: unescaped character in value: ${character.charCodeAt(0)}`);
    }
    if (character !== "\\") {
      value += character;
      continue;
    }
    position++;
    const escaped = String.fromCodePoint(...(position < text.length ? [text.codePointAt(position) ?? 0] : []));
    if (escaped !== "\\" && escaped !== "," && escaped !== "=") {
      throw new SelectorError(`invalid field selector: invalid escape sequence: \\${escaped}`);
    }
    value += escaped;
  }
  return value;
}
