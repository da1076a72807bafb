import type { Comprehension, Expression } from "./expression.js";
import type { NodeBuilder } from "./node-builder.js";
import { Operator } from "./operators.js";

/** The name of the variable that holds the result of a loop. */
const accumulatorName = "__result__";

/** The name of the variable of a loop that is not used. */
const unusedVariable = "#unused";

/** The form that the first argument of a macro must have, and the message where it has another. */
export interface MacroArgument {
  readonly kind: "identifier" | "select";
  readonly problem: string;
}

/** A macro: a call that is replaced by other nodes before types are checked. */
export interface Macro {
  readonly firstArgument: MacroArgument;
  /** Makes the nodes, all of which stand at the offset. The first argument has the form that is wanted. */
  readonly expand: (
    builder: NodeBuilder,
    offset: number,
    target: Expression,
    args: readonly Expression[],
  ) => Expression;
}

const simpleName: MacroArgument = { kind: "identifier", problem: "argument must be a simple name" };
const anIdentifier: MacroArgument = { kind: "identifier", problem: "argument is not an identifier" };

const memberMacros: ReadonlyMap<string, Macro> = new Map<string, Macro>([
  ["all/2", { firstArgument: simpleName, expand: expandAll }],
  ["exists/2", { firstArgument: simpleName, expand: expandExists }],
  ["exists_one/2", { firstArgument: simpleName, expand: expandExistsOne }],
  ["map/2", { firstArgument: anIdentifier, expand: expandMap }],
  ["map/3", { firstArgument: anIdentifier, expand: expandMap }],
  ["filter/2", { firstArgument: anIdentifier, expand: expandFilter }],
  [
    "optMap/2",
    {
      firstArgument: { kind: "identifier", problem: "optMap() variable name must be a simple identifier" },
      expand: expandOptMap,
    },
  ],
  [
    "optFlatMap/2",
    {
      firstArgument: { kind: "identifier", problem: "optFlatMap() variable name must be a simple identifier" },
      expand: expandOptFlatMap,
    },
  ],
]);
const has: Macro = {
  firstArgument: { kind: "select", problem: "invalid argument to has() macro" },
  expand: expandHas,
};

/** Returns the macro that a call is of; undefined if it is of a function. */
export function findMacro(name: string, isMember: boolean, argumentCount: number): Macro | undefined {
  if (!isMember) return name === "has" && argumentCount === 1 ? has : undefined;
  return argumentCount === 2 || argumentCount === 3 ? memberMacros.get(`${name}/${argumentCount}`) : undefined;
}

type Expand = Macro["expand"];

function expandHas(...[builder, offset, , args]: Parameters<Expand>): Expression {
  const [argument] = args;
  if (argument?.kind !== "select") throw new TypeError("has() of an argument that is no selection");
  return builder.select(offset, argument.operand, argument.field, true);
}

function expandAll(...[builder, offset, target, args]: Parameters<Expand>): Expression {
  return fold(builder, offset, target, args, {
    initial: builder.literal(offset, true),
    condition: builder.call(offset, Operator.notStrictlyFalse, [accumulator(builder, offset)]),
    step: builder.call(offset, Operator.and, [accumulator(builder, offset), at(args, 1)]),
    result: accumulator(builder, offset),
  });
}

function expandExists(...[builder, offset, target, args]: Parameters<Expand>): Expression {
  const isFalse = builder.call(offset, Operator.not, [accumulator(builder, offset)]);
  return fold(builder, offset, target, args, {
    initial: builder.literal(offset, false),
    condition: builder.call(offset, Operator.notStrictlyFalse, [isFalse]),
    step: builder.call(offset, Operator.or, [accumulator(builder, offset), at(args, 1)]),
    result: accumulator(builder, offset),
  });
}

function expandExistsOne(...[builder, offset, target, args]: Parameters<Expand>): Expression {
  const one = builder.literal(offset, 1);
  const increased = builder.call(offset, Operator.add, [accumulator(builder, offset), one]);
  return fold(builder, offset, target, args, {
    initial: builder.literal(offset, 0),
    condition: builder.literal(offset, true),
    step: builder.call(offset, Operator.conditional, [at(args, 1), increased, accumulator(builder, offset)]),
    result: builder.call(offset, Operator.equals, [accumulator(builder, offset), one]),
  });
}

function expandMap(...[builder, offset, target, args]: Parameters<Expand>): Expression {
  const hasFilter = args.length === 3;
  const added = appended(builder, offset, at(args, hasFilter ? 2 : 1));
  return fold(builder, offset, target, args, {
    initial: builder.list(offset, []),
    condition: builder.literal(offset, true),
    step: hasFilter ? onlyIf(builder, offset, at(args, 1), added) : added,
    result: accumulator(builder, offset),
  });
}

function expandFilter(...[builder, offset, target, args]: Parameters<Expand>): Expression {
  return fold(builder, offset, target, args, {
    initial: builder.list(offset, []),
    condition: builder.literal(offset, true),
    step: onlyIf(builder, offset, at(args, 1), appended(builder, offset, at(args, 0))),
    result: accumulator(builder, offset),
  });
}

function expandOptMap(...[builder, offset, target, args]: Parameters<Expand>): Expression {
  const mapped = boundToValue(builder, offset, target, args);
  return ifPresent(builder, offset, target, builder.call(offset, "optional.of", [mapped]));
}

function expandOptFlatMap(...[builder, offset, target, args]: Parameters<Expand>): Expression {
  return ifPresent(builder, offset, target, boundToValue(builder, offset, target, args));
}

type Loop = Pick<Comprehension, "initial" | "condition" | "step" | "result">;

function fold(
  builder: NodeBuilder,
  offset: number,
  range: Expression,
  args: readonly Expression[],
  loop: Loop,
): Expression {
  return {
    kind: "comprehension",
    id: builder.nextId(),
    offset,
    range,
    variable: nameOf(args),
    accumulator: accumulatorName,
    ...loop,
  };
}

/** Makes a loop that runs never, whose result is an expression in which a variable holds the value of an optional. */
function boundToValue(
  builder: NodeBuilder,
  offset: number,
  target: Expression,
  args: readonly Expression[],
): Expression {
  const name = nameOf(args);
  return {
    kind: "comprehension",
    id: builder.nextId(),
    offset,
    range: builder.list(offset, []),
    variable: unusedVariable,
    accumulator: name,
    initial: builder.call(offset, "value", [], target),
    condition: builder.literal(offset, false),
    step: builder.identifier(offset, name),
    result: at(args, 1),
  };
}

function ifPresent(builder: NodeBuilder, offset: number, target: Expression, present: Expression): Expression {
  const isPresent = builder.call(offset, "hasValue", [], target);
  return builder.call(offset, Operator.conditional, [isPresent, present, builder.call(offset, "optional.none", [])]);
}

function appended(builder: NodeBuilder, offset: number, element: Expression): Expression {
  return builder.call(offset, Operator.add, [accumulator(builder, offset), builder.list(offset, [element])]);
}

function onlyIf(builder: NodeBuilder, offset: number, condition: Expression, step: Expression): Expression {
  return builder.call(offset, Operator.conditional, [condition, step, accumulator(builder, offset)]);
}

function accumulator(builder: NodeBuilder, offset: number): Expression {
  return builder.identifier(offset, accumulatorName);
}

function nameOf(args: readonly Expression[]): string {
  const name = at(args, 0);
  if (name.kind !== "identifier") throw new TypeError("a macro's variable that is no name");
  return name.name;
}

function at(args: readonly Expression[], index: number): Expression {
  const argument = args[index];
  if (argument === undefined) throw new TypeError(`a macro without argument ${index}`);
  return argument;
}
