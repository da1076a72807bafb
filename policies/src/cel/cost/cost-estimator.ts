import type { CheckedExpression } from "../checker/checked-expression.js";
import type { DeclaredOverload } from "../checker/declarations.js";
import type { CallEstimate, EstimatedCall } from "../libraries/library.js";
import type { Call, Comprehension, Expression, Select } from "../syntax/expression.js";
import { partsOf } from "../types/type-parts.js";
import { FieldPath } from "./field-path.js";
import { sizeOfLiteral, sizeOfType } from "./literal-size.js";
import { addRanges, exactly, multiplyRanges, type Range, unionOfRanges, unknownSize } from "./range.js";
import type { SizeEstimator } from "./size-estimator.js";

/** A variable of a loop, and those of the loops around it. */
interface LoopVariable {
  readonly name: string;
  /** The list or map whose elements or keys it stands for. */
  readonly range: Expression;
  readonly outer: LoopVariable | undefined;
}

const nothing = exactly(0n);
const one = exactly(1n);
const costOfList = exactly(10n);
const costOfMap = exactly(30n);
const costOfStruct = exactly(40n);

/** The name of the variable in which macros collect their results. Sizes below it are not known. */
const accumulatorName = "__result__";

/** Estimates the cost of the nodes of one expression. Arguments are visited before their calls. */
export class CostEstimator {
  readonly #checked: CheckedExpression;
  readonly #sizeOf: SizeEstimator;
  /** Paths and sizes of nodes, by their ids, as far as they are known. */
  readonly #paths: (FieldPath | undefined)[];
  readonly #sizes: (Range | undefined)[];
  #loop: LoopVariable | undefined;

  constructor(checked: CheckedExpression, sizeOf: SizeEstimator) {
    this.#checked = checked;
    this.#sizeOf = sizeOf;
    this.#paths = new Array(checked.parsed.maxId + 1);
    this.#sizes = new Array(checked.parsed.maxId + 1);
  }

  /** Returns the cost of a node and of all below it. */
  costOf(node: Expression): Range {
    switch (node.kind) {
      case "literal":
        return nothing;
      case "identifier":
        return this.#costOfReference(node, this.#checked.referenceOf(node) ?? node.name);
      case "select":
        return this.#costOfSelect(node);
      case "call":
        return this.#costOfCall(node);
      case "list":
        return addRanges(this.#sum(node.elements), costOfList);
      case "map":
        return addRanges(this.#sum(node.entries.flatMap(({ key, value }) => [key, value])), costOfMap);
      case "struct":
        return addRanges(this.#sum(node.fields.map(({ value }) => value)), costOfStruct);
      case "comprehension":
        return this.#costOfComprehension(node);
    }
  }

  #sum(nodes: readonly Expression[]): Range {
    return nodes.reduce((sum, node) => addRanges(sum, this.costOf(node)), nothing);
  }

  #costOfReference(node: Expression, name: string): Range {
    let loop = this.#loop;
    while (loop && loop.name !== name) {
      loop = loop.outer;
    }
    this.#paths[node.id] = loop ? this.#pathOfElements(loop.range) : FieldPath.of(name);
    return one;
  }

  #costOfSelect(node: Select): Range {
    const reference = this.#checked.referenceOf(node);
    if (reference !== undefined) {
      return this.#costOfReference(node, reference);
    }
    const cost = this.costOf(node.operand);
    if (node.isTest) {
      return addRanges(cost, exactly(BigInt(this.#checked.settings.presenceTestCost)));
    }
    this.#paths[node.id] = this.#pathBelow(node.operand, node.field);
    const { kind } = this.#checked.typeOf(node.operand);
    return kind === "map" || kind === "object" ? addRanges(cost, one) : cost;
  }

  #pathBelow(node: Expression, name: string): FieldPath {
    return FieldPath.append(this.#paths[node.id], name);
  }

  #costOfCall(node: Call): Range {
    const argumentCosts = node.args.map((argument) => this.costOf(argument));
    const overloads = this.#checked.overloadsOf(node);
    const isMember = node.target !== undefined && this.#checked.referenceOf(node) === undefined;
    const target = isMember && node.target ? [node.target] : [];
    const targetCost = this.#sum(target);
    const args = [...target, ...node.args];
    let cost: Range | undefined;
    let size: Range | undefined;
    for (const overload of overloads) {
      const estimate = this.#costOfOverload(overload, args, argumentCosts);
      cost = cost ? unionOfRanges(cost, estimate.cost) : estimate.cost;
      size = size && estimate.resultSize ? unionOfRanges(size, estimate.resultSize) : (size ?? estimate.resultSize);
      this.#paths[node.id] = this.#pathOfIndex(overload, args) ?? this.#paths[node.id];
    }
    this.#sizes[node.id] = size;
    return addRanges(targetCost, cost ?? nothing);
  }

  #pathOfIndex(
    { functionName, argumentTypes }: DeclaredOverload,
    [aggregate]: readonly Expression[],
  ): FieldPath | undefined {
    if (functionName !== "_[_]" || !aggregate) {
      return undefined;
    }
    return this.#pathBelow(aggregate, argumentTypes[0]?.kind === "map" ? "@values" : "@items");
  }

  /** Returns the cost of a call and of its arguments without the target. */
  #costOfOverload(
    declared: DeclaredOverload,
    args: readonly Expression[],
    argumentCosts: readonly Range[],
  ): CallEstimate {
    const [first = nothing, second = nothing, third = nothing] = argumentCosts;
    switch (declared.functionName) {
      case "_&&_":
      case "_||_":
        return { cost: { min: first.min, max: addRanges(first, second).max } };
      case "_?_:_": {
        const [, left, right] = args.map((argument) => this.#sizeOfNode(argument));
        const resultSize = unionOfRanges(left ?? unknownSize, right ?? unknownSize);
        return { cost: addRanges(first, unionOfRanges(second, third)), resultSize };
      }
    }
    const { estimate } = declared.overload;
    const sizes = estimate && args.map((argument) => this.#sizeOfNode(argument));
    const call: CallEstimate = sizes ? estimate(sizes, this.#estimatedCall(args)) : { cost: one };
    return { cost: argumentCosts.reduce(addRanges, call.cost), resultSize: call.resultSize };
  }

  #estimatedCall(args: readonly Expression[]): EstimatedCall {
    const { typeOf } = this.#checked;
    const argument = (index: number): Expression => {
      const found = args[index];
      if (!found) {
        throw new RangeError(`the call has no argument ${index}`);
      }
      return found;
    };
    return {
      typeOf: (index) => typeOf(argument(index)),
      elementSize: (index) => {
        const list = argument(index);
        const path = this.#pathOf(list);
        const isAggregate = partsOf(typeOf(list)).length > 0;
        return isAggregate ? ((path && this.#sizeOf([...path, "@items"])) ?? unknownSize) : undefined;
      },
      literal: (index) => {
        const node = args[index];
        return node?.kind === "literal" ? node.value : undefined;
      },
    };
  }

  #costOfComprehension(node: Comprehension): Range {
    const outside = addRanges(this.costOf(node.range), this.costOf(node.initial));
    const outer = this.#loop;
    this.#loop = { name: node.variable, range: node.range, outer };
    const iteration = addRanges(this.costOf(node.condition), this.costOf(node.step));
    this.#loop = outer;
    const iterations = this.#sizeOfNode(node.range);
    return [this.costOf(node.result), multiplyRanges(iterations, iteration)].reduce(addRanges, outside);
  }

  #pathOfElements(range: Expression): FieldPath | undefined {
    switch (this.#checked.typeOf(range).kind) {
      case "list":
        return this.#pathBelow(range, "@items");
      case "map":
        return this.#pathBelow(range, "@keys");
      default:
        return undefined;
    }
  }

  #sizeOfNode(node: Expression): Range {
    const path = this.#pathOf(node);
    return (
      this.#sizes[node.id] ??
      sizeOfLiteral(node) ??
      (path && this.#sizeOf(path)) ??
      sizeOfType(this.#checked.typeOf(node)) ??
      unknownSize
    );
  }

  #pathOf(node: Expression): readonly string[] | undefined {
    const path = this.#paths[node.id]?.names;
    return path?.[0] === accumulatorName ? undefined : path;
  }
}
