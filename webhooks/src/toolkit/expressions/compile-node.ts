import { type CompiledFunction, functions } from "./function-values.js";
import type { ComparisonOperator, ElementNode, Node, SelectionNode, VariableNode } from "./node.js";
import { compareValues, ExpressionError, isEqual, isObject, type Value } from "./values.js";

/** The objects that an expression is about, and what has been computed of them. */
export interface Frame {
  readonly roots: { readonly object: Value; readonly oldObject: Value; readonly request: Value };
  /** Values of variables that have been evaluated. */
  readonly variables: Map<VariableNode, Value>;
  /** The element that each loop stands at, the outermost first. */
  readonly elements: Value[];
}

/** A compiled tree. Throws ExpressionError if the expression has no value. */
export type Evaluate = (frame: Frame) => Value;

/** Elements of the loops around a node, the outermost first. */
type Loops = readonly ElementNode[];

/** Compiles a tree to closures, once it has been printed, which finds elements that are used outside their loops. */
export function compileNode(node: Node, loops: Loops = []): Evaluate {
  switch (node.op) {
    case "literal":
      return () => node.value as Value;
    case "root":
      return ({ roots }) => roots[node.name];
    case "element":
      return elementOf(loops.lastIndexOf(node));
    case "variable":
      return variableOf(node);
    case "selection":
      return selected(node, loops);
    case "orValue":
      return valueOr(optionalOf(node.selection, loops), compileNode(node.other, loops));
    case "has":
      return presence(node.selection, loops);
    case "comparison":
      if (node.operator === "in" && node.right.op === "literal" && isEqual(node.right.value as Value, [])) {
        // CEL does not even evaluate a value that is looked for in an empty list.
        return () => false;
      }
      return comparison(node.operator, compileNode(node.left, loops), compileNode(node.right, loops));
    case "and":
    case "or":
      return connected(
        node.operands.map((operand) => compileNode(operand, loops)),
        node.op === "or",
      );
    case "not":
      return negated(compileNode(node.operand, loops));
    case "choice":
      return choice(node, loops);
    case "call":
      return called(
        functions[node.name],
        node.args.map((argument) => compileNode(argument, loops)),
      );
    case "loop":
      return looped(node, loops);
  }
}

function elementOf(depth: number): Evaluate {
  return ({ elements }) => elements[depth] as Value;
}

function variableOf(variable: VariableNode): Evaluate {
  // Compiled without the loops around it: a variable has one value for the whole request.
  const evaluate = compileNode(variable.value);
  return (frame) => {
    let value = frame.variables.get(variable);
    if (value === undefined) {
      value = evaluate(frame);
      frame.variables.set(variable, value);
    }
    return value;
  };
}

/** Returns the value of a selection that must be there, with all above it. */
function selected({ container, key }: SelectionNode, loops: Loops): Evaluate {
  const containerOf = compileNode(container, loops);
  const keyOf = compileNode(key, loops);
  return (frame) => {
    const holder = containerOf(frame);
    const name = keyOf(frame);
    const value = valueAt(holder, name);
    if (value === undefined) {
      throw new ExpressionError(`no such key: ${String(name)}`);
    }
    return value;
  };
}

/** Returns the value of a selection; undefined if it, or one above it, is absent. */
function optionalOf(node: Node, loops: Loops): (frame: Frame) => Value | undefined {
  if (node.op !== "selection") {
    return compileNode(node, loops);
  }
  const containerOf = optionalOf(node.container, loops);
  const keyOf = compileNode(node.key, loops);
  return (frame) => {
    const holder = containerOf(frame);
    const key = keyOf(frame);
    return holder === undefined ? undefined : valueAt(holder, key);
  };
}

/** Returns the member or element; undefined if there is none. Throws ExpressionError for a name of an element. */
function valueAt(holder: Value, key: Value): Value | undefined {
  if (Array.isArray(holder)) {
    if (typeof key !== "number") {
      throw new ExpressionError("elements of a list are selected by an index");
    }
    return holder[key];
  }
  return isObject(holder) && typeof key === "string" && Object.hasOwn(holder, key) ? holder[key] : undefined;
}

function valueOr(optional: (frame: Frame) => Value | undefined, other: Evaluate): Evaluate {
  return (frame) => {
    const value = optional(frame);
    // Null is a value.
    return value === undefined ? other(frame) : value;
  };
}

function presence(selection: Node, loops: Loops): Evaluate {
  if (selection.op === "root") {
    return ({ roots }) => roots[selection.name] !== null;
  }
  const optional = optionalOf(selection, loops);
  return (frame) => optional(frame) !== undefined;
}

function comparison(operator: ComparisonOperator, left: Evaluate, right: Evaluate): Evaluate {
  switch (operator) {
    case "==":
      return (frame) => isEqual(left(frame), right(frame));
    case "!=":
      return (frame) => !isEqual(left(frame), right(frame));
    case "<":
      return (frame) => compareValues(left(frame), right(frame)) < 0;
    case "<=":
      return (frame) => compareValues(left(frame), right(frame)) <= 0;
    case ">":
      return (frame) => compareValues(left(frame), right(frame)) > 0;
    case ">=":
      return (frame) => compareValues(left(frame), right(frame)) >= 0;
    case "in":
      return (frame) => isHeldBy(left(frame), right(frame));
  }
}

function isHeldBy(value: Value, holder: Value): boolean {
  if (Array.isArray(holder)) {
    return holder.some((item) => isEqual(item, value));
  }
  if (isObject(holder)) {
    return typeof value === "string" && Object.hasOwn(holder, value);
  }
  throw new ExpressionError("only lists and objects hold values");
}

/** Compiles `and`, decided by false, and `or`, decided by true: also if an operand before the one that decides has failed. */
function connected(operands: readonly Evaluate[], decisive: boolean): Evaluate {
  return (frame) => decide(operands.length, decisive, (index) => (operands[index] as Evaluate)(frame));
}

function decide(count: number, decisive: boolean, outcome: (index: number) => Value): boolean {
  let failure: ExpressionError | undefined;
  for (let index = 0; index < count; index++) {
    try {
      if (booleanOf(outcome(index)) === decisive) {
        return decisive;
      }
    } catch (error) {
      failure ??= expressionError(error);
    }
  }
  if (failure !== undefined) {
    throw failure;
  }
  return !decisive;
}

function expressionError(error: unknown): ExpressionError {
  if (error instanceof ExpressionError) {
    return error;
  }
  throw error;
}

function negated(operand: Evaluate): Evaluate {
  return (frame) => !booleanOf(operand(frame));
}

function choice({ condition, left, right }: Extract<Node, { readonly op: "choice" }>, loops: Loops): Evaluate {
  const test = compileNode(condition, loops);
  const first = compileNode(left, loops);
  const second = compileNode(right, loops);
  return (frame) => (booleanOf(test(frame)) ? first(frame) : second(frame));
}

function called(call: CompiledFunction, args: readonly Evaluate[]): Evaluate {
  return (frame) => call(args.map((argument) => argument(frame)));
}

function looped({ name, list, element, body }: Extract<Node, { readonly op: "loop" }>, loops: Loops): Evaluate {
  const itemsOf = compileNode(list, loops);
  const depth = loops.length;
  const evaluate = compileNode(body, [...loops, element]);
  return (frame) => {
    const items = elementsOf(itemsOf(frame));
    const outcome = (index: number): Value => {
      frame.elements[depth] = items[index] as Value;
      return evaluate(frame);
    };
    switch (name) {
      case "all":
        return decide(items.length, false, outcome);
      case "exists":
        return decide(items.length, true, outcome);
      case "filter":
        return items.filter((_item, index) => booleanOf(outcome(index)));
      case "map":
        return items.map((_item, index) => outcome(index));
    }
  };
}

/** Returns what a loop runs over: the elements of a list, or the keys of a map. Throws ExpressionError. */
function elementsOf(value: Value): readonly Value[] {
  if (Array.isArray(value)) {
    return value;
  }
  if (isObject(value)) {
    return Object.keys(value);
  }
  throw new ExpressionError("only lists and objects have elements");
}

/** Returns the boolean. Throws ExpressionError for anything else. */
export function booleanOf(value: Value): boolean {
  if (typeof value !== "boolean") {
    throw new ExpressionError("is no boolean");
  }
  return value;
}
