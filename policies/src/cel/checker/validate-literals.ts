import type { CompileProblem } from "../syntax/compile-error.js";
import type { Call, Expression } from "../syntax/expression.js";
import type { CelType } from "../types/cel-type.js";
import { isSameType } from "../types/same-type.js";
import { typeText } from "../types/type-text.js";
import { EvaluationError } from "../values/evaluation-error.js";
import type { CheckedExpression } from "./checked-expression.js";
import { childrenOf } from "./children-of.js";

/** Function whose argument is a list of values of any types. */
const functionOfMixedLists = "format";

/**
 * Returns mistakes in the literals of an expression whose types are right. All elements of a list have one type, known
 * before evaluation; so have the keys of a map, and the values. Calls are looked at as far as the settings ask for it.
 */
export function validateLiterals(checked: CheckedExpression): CompileProblem[] {
  const { literalValidators } = checked.settings;
  const calls: CompileProblem[] = [];
  const lists: CompileProblem[] = [];
  const maps: CompileProblem[] = [];

  function visit(node: Expression, mayBeMixed: boolean): void {
    if (node.kind === "call") {
      calls.push(...invalidArguments(node));
    } else if (node.kind === "list" && !mayBeMixed) {
      const values = node.elements.map((value, index) => ({ value, isOptional: node.optionalIndexes.includes(index) }));
      lists.push(...differences(values).slice(0, 1));
    } else if (node.kind === "map" && !mayBeMixed) {
      maps.push(...differences(node.entries.map(({ key }) => ({ value: key, isOptional: false }))));
      maps.push(...differences(node.entries));
    }
    const childrenMayBeMixed =
      node.kind === "call" ? node.name === functionOfMixedLists : mayBeMixed && isAggregate(node);
    for (const child of childrenOf(node)) {
      visit(child, childrenMayBeMixed);
    }
  }

  function invalidArguments(node: Call): CompileProblem[] {
    const name = checked.referenceOf(node) ?? node.name;
    return literalValidators
      .filter(({ functionName, argument, validate }) => {
        const literal = node.args[argument];
        return functionName === name && literal?.kind === "literal" && fails(() => validate(literal.value));
      })
      .map(({ argument }) => ({
        message: `invalid ${name} argument`,
        offset: (node.args[argument] ?? node).offset,
      }));
  }

  /** Returns a mistake for each value whose type is not the type of the first. */
  function differences(
    values: readonly { readonly value: Expression; readonly isOptional: boolean }[],
  ): CompileProblem[] {
    let first: CelType | undefined;
    return values.flatMap(({ value, isOptional }) => {
      const type = checked.typeOf(value);
      const present = isOptional && type.kind === "optional" ? type.value : type;
      first ??= present;
      return isSameType(first, present)
        ? []
        : [
            {
              message: `expected type '${typeText(first)}' but found '${typeText(present)}'`,
              offset: value.offset,
            },
          ];
    });
  }

  visit(checked.parsed.root, false);
  return [...calls, ...lists, ...maps];
}

function isAggregate({ kind }: Expression): boolean {
  return kind === "list" || kind === "map";
}

function fails(validate: () => void): boolean {
  try {
    validate();
    return false;
  } catch (error) {
    if (error instanceof EvaluationError) {
      return true;
    }
    throw error;
  }
}
