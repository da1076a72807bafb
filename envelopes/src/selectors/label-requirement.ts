import { SelectorError } from "../errors.js";
import { goQuote } from "../go/quote.js";
import { validateLabelValue, validateQualifiedName } from "../validation/names.js";

/** The operator of a requirement; `=`, `==` and `in` mean the same and are only written differently. */
export type LabelOperator = "in" | "notin" | "=" | "==" | "!=" | "exists" | "!" | "gt" | "lt";

/** A condition on the labels of an object; a selector is the conjunction of several. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  /**
   * The values, sorted when they come from selector text. Empty for `exists` and `!`, one integer for `gt` and `lt`.
   */
  readonly values: readonly string[];
}

/** Labels of an object as read from JSON. */
export type Labels = Readonly<Record<string, unknown>>;

/** The limit of listed problems: a selector may have as many values as fit into a URL. */
const maxProblems = 100;

/**
 * Returns a requirement. Throws a SelectorError if key, operator and values do not fit together, with up to a hundred
 * problems at once.
 */
export function labelRequirement(key: string, operator: LabelOperator, values: readonly string[]): LabelRequirement {
  const problems: string[] = [];
  const keyProblem = labelKeyProblem(key);
  if (keyProblem !== undefined) {
    problems.push(`key: ${keyProblem}`);
  }
  const rule = valuesRule(operator, values.length);
  if (rule !== undefined) {
    problems.push(`values: Invalid value: ${goStringList(values)}: ${rule}`);
  }
  const isBound = operator === "gt" || operator === "lt";
  for (const [index, value] of values.entries()) {
    if (isBound && problems.length < maxProblems && parseInt64(value) === undefined) {
      problems.push(
        `values[${index}]: Invalid value: ${goQuote(value)}: for 'Gt', 'Lt' operators, the value must be an integer`,
      );
    }
  }
  for (const [index, value] of values.entries()) {
    if (problems.length >= maxProblems) {
      break;
    }
    const valueProblems = validateLabelValue(value);
    if (valueProblems.length > 0) {
      problems.push(`values[${index}][${key}]: Invalid value: ${goQuote(value)}: ${valueProblems.join("; ")}`);
    }
  }
  if (problems.length > 0) {
    const distinct = [...new Set(problems)];
    throw new SelectorError(distinct.length === 1 ? (distinct[0] ?? "") : `[${distinct.join(", ")}]`);
  }
  return { key, operator, values };
}

/** Returns the problem with a label key, in the words of a field error without its path. */
export function labelKeyProblem(key: string): string | undefined {
  const problems = validateQualifiedName(key);
  return problems.length === 0 ? undefined : `Invalid value: ${goQuote(key)}: ${problems.join("; ")}`;
}

function valuesRule(operator: LabelOperator, count: number): string | undefined {
  switch (operator) {
    case "in":
    case "notin":
      return count === 0 ? "for 'in', 'notin' operators, values set can't be empty" : undefined;
    case "exists":
    case "!":
      return count === 0 ? undefined : "values set must be empty for exists and does not exist";
    case "gt":
    case "lt":
      return count === 1 ? undefined : "for 'Gt', 'Lt' operators, exactly one value is required";
    default:
      return count === 1 ? undefined : "exact-match compatibility requires one single value";
  }
}

function goStringList(values: readonly string[]): string {
  return values.length === 0 ? "[]string(nil)" : `[]string{${values.map((value) => goQuote(value)).join(", ")}}`;
}

/** Parses a 64-bit signed decimal integer; undefined for any other text. */
export function parseInt64(text: string): bigint | undefined {
  if (!/^[+-]?[0-9]{1,30}$/.test(text)) {
    return undefined;
  }
  const value = BigInt(text.startsWith("+") ? text.slice(1) : text);
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

/** The requirement as selector text. */
export function requirementText({ key, operator, values }: LabelRequirement): string {
  const list = values.toSorted().join(",");
  switch (operator) {
    case "exists":
      return key;
    case "!":
      return `!${key}`;
    case "in":
    case "notin":
      return `${key} ${operator} (${list})`;
    case "gt":
      return `${key}>${list}`;
    case "lt":
      return `${key}<${list}`;
    default:
      return `${key}${operator}${list}`;
  }
}
