import type { Comprehension, Expression } from "../syntax/expression.js";

/** The predicate of a loop that looks for an element that decides, and the answer that decides. */
export interface Quantified {
  readonly predicate: Expression;
  readonly decisive: boolean;
}

/** Returns the predicate of a loop that has the form of `all` or `exists`; undefined for other loops. */
export function quantifiedPredicate(node: Comprehension): Quantified | undefined {
  const { initial, step, condition, accumulator } = node;
  if (initial.kind !== "literal" || step.kind !== "call" || !isAccumulator(node, node.result)) {
    return undefined;
  }
  const decisive = step.name === "_||_";
  const [first, predicate] = step.args;
  const isQuantifier = (decisive || step.name === "_&&_") && initial.value === !decisive;
  if (!isQuantifier || !first || !predicate || !isAccumulator(node, first) || node.variable === accumulator) {
    return undefined;
  }
  const asked = argumentOf(condition, "@not_strictly_false");
  const tested = asked && decisive ? argumentOf(asked, "!_") : asked;
  const isKnown = tested !== undefined && isAccumulator(node, tested) && !mentions(predicate, accumulator);
  return isKnown ? { predicate, decisive } : undefined;
}

/** The step of a loop that takes only the elements that fit a predicate. */
export interface Accumulated {
  readonly predicate: Expression | undefined;
  readonly step: Expression;
}

/** Returns the predicate and the step of a loop over all elements; undefined for other loops. */
export function accumulatedStep(node: Comprehension): Accumulated | undefined {
  const { condition, step } = node;
  if (condition.kind !== "literal" || condition.value !== true || !isAccumulator(node, node.result)) {
    return undefined;
  }
  if (step.kind !== "call" || step.name !== "_?_:_") {
    return { predicate: undefined, step };
  }
  const [predicate, chosen, other] = step.args;
  if (!predicate || !chosen || !other || !isAccumulator(node, other) || mentions(predicate, node.accumulator)) {
    return undefined;
  }
  return { predicate, step: chosen };
}

/** Returns the element that the step of a loop appends to its result; undefined if the step is another. */
export function appendedElement(node: Comprehension, step: Expression): Expression | undefined {
  const [list, added] = step.kind === "call" && step.name === "_+_" ? step.args : [];
  if (!list || !isAccumulator(node, list) || added?.kind !== "list" || added.elements.length !== 1) {
    return undefined;
  }
  const [element] = added.elements;
  const isPlain = added.optionalIndexes.length === 0 && node.variable !== node.accumulator;
  return isPlain && element && !mentions(element, node.accumulator) ? element : undefined;
}

/** Returns true for `[]`. */
export function isEmptyList(node: Expression): boolean {
  return node.kind === "list" && node.elements.length === 0;
}

function argumentOf(node: Expression, name: string): Expression | undefined {
  return node.kind === "call" && node.name === name && node.args.length === 1 ? node.args[0] : undefined;
}

function isAccumulator({ accumulator }: Comprehension, node: Expression): boolean {
  return node.kind === "identifier" && node.name === accumulator;
}

/** Returns true if a node reads a variable that no loop within it has. */
function mentions(node: Expression, name: string): boolean {
  switch (node.kind) {
    case "identifier":
      return node.name === name;
    case "literal":
      return false;
    case "select":
      return mentions(node.operand, name);
    case "call":
      return [...(node.target ? [node.target] : []), ...node.args].some((part) => mentions(part, name));
    case "list":
      return node.elements.some((part) => mentions(part, name));
    case "map":
      return node.entries.some(({ key, value }) => mentions(key, name) || mentions(value, name));
    case "struct":
      return node.fields.some(({ value }) => mentions(value, name));
    case "comprehension":
      return mentionsFreely(node, name);
  }
}

function mentionsFreely(node: Comprehension, name: string): boolean {
  if (mentions(node.range, name) || mentions(node.initial, name)) {
    return true;
  }
  const hides = node.accumulator === name || node.variable === name;
  return !hides && [node.condition, node.step, node.result].some((part) => mentions(part, name));
}
