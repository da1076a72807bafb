import { SelectorError } from "../errors.js";
import { goQuote } from "../go/quote.js";
import { labelMatcher } from "./label-matcher.js";
import {
  type LabelOperator,
  type LabelRequirement,
  type Labels,
  labelRequirement,
  requirementText,
} from "./label-requirement.js";
import { parseLabelRequirements } from "./label-selector-parser.js";

/** A test of labels. Make it once and use it for many objects. */
export interface LabelSelector {
  /** The requirements, sorted by key. */
  readonly requirements: readonly LabelRequirement[];
  /** True if every object matches. */
  readonly matchesEverything: boolean;
  /** Reports whether the labels meet all requirements. An object without labels has the empty set. */
  matches(labels: Labels | undefined): boolean;
  /** Returns the canonical selector text; it parses to an equal selector. */
  toString(): string;
}

/** The LabelSelector of meta/v1, as it stands in objects. */
export interface LabelSelectorObject {
  readonly matchLabels?: Readonly<Record<string, string>> | null | undefined;
  readonly matchExpressions?: readonly LabelSelectorExpression[] | null | undefined;
}

/** An item of the `matchExpressions` of a LabelSelector in an object. Operators: In, NotIn, Exists, DoesNotExist. */
export interface LabelSelectorExpression {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[] | null | undefined;
}

/** Parses the `labelSelector` of a request: `a=b,c!=d,e in (x,y),!f,g,h>1`. Throws SelectorError. */
export function parseLabelSelector(text: string): LabelSelector {
  return selectorOf(parseLabelRequirements(text));
}

/**
 * Returns the selector that an object holds. No object selects nothing, an empty one everything. Throws SelectorError
 * if it is invalid.
 */
export function labelSelectorOf(selector: LabelSelectorObject | null | undefined): LabelSelector {
  if (selector === null || selector === undefined) {
    return matchNothing;
  }
  const requirements: LabelRequirement[] = [];
  for (const [key, value] of Object.entries(selector.matchLabels ?? {})) {
    requirements.push(labelRequirement(key, "=", [value]));
  }
  for (const expression of selector.matchExpressions ?? []) {
    const operator = expressionOperators.get(expression.operator);
    if (operator === undefined) {
      throw new SelectorError(`${goQuote(expression.operator)} is not a valid label selector operator`);
    }
    requirements.push(labelRequirement(expression.key, operator, expression.values ?? []));
  }
  return selectorOf(requirements);
}

const expressionOperators: ReadonlyMap<string, LabelOperator> = new Map([
  ["In", "in"],
  ["NotIn", "notin"],
  ["Exists", "exists"],
  ["DoesNotExist", "!"],
]);

/** The selector that matches no object at all. */
export const matchNothing: LabelSelector = {
  requirements: [],
  matchesEverything: false,
  matches: () => false,
  toString: () => "",
};

const noLabels: Labels = Object.freeze({});

function selectorOf(unsorted: readonly LabelRequirement[]): LabelSelector {
  const requirements = unsorted.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  const matches = labelMatcher(requirements);
  return {
    requirements,
    matchesEverything: requirements.length === 0,
    matches: (labels = noLabels) => matches(labels),
    toString: () => requirements.map(requirementText).join(","),
  };
}
