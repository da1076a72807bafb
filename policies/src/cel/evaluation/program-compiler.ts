import type { CheckedExpression } from "../checker/checked-expression.js";
import type {
  Call,
  Comprehension,
  Expression,
  ListLiteral,
  MapLiteral,
  Select,
  StructLiteral,
} from "../syntax/expression.js";
import type { ValueReader } from "../types/cel-type.js";
import { EvaluationError } from "../values/evaluation-error.js";
import { isList, itemsOf } from "../values/type-name.js";
import { type CelValue, Optional, TypeValue } from "../values/value.js";
import { binaryOperation, callStep, costOf, implementationOf, preparedImplementation, variadicStep } from "./call.js";
import { comparisonStep } from "./comparison.js";
import { allStep, collectStep, existsStep, loopStep } from "./comprehension.js";
import { listStep, mapStep, structStep } from "./construction.js";
import { type EvaluationObserver, observedElement, observedPlan } from "./evaluation-observer.js";
import { caughtError, Frame, isError, type Step } from "./frame.js";
import { implementationTypeName } from "./go-type-name.js";
import { andStep, notFalseStep, notStep, orStep } from "./logic.js";
import type { LoopRange } from "./loop-run.js";
import { accumulatedStep, appendedElement, isEmptyList, quantifiedPredicate } from "./macro-forms.js";
import { membershipStep } from "./membership.js";
import { literalPlan, type Plan } from "./plan.js";
import { ProgramError } from "./program-error.js";
import { checkKey } from "./select-element.js";
import {
  evaluateBranch,
  evaluatePath,
  evaluateTest,
  type PathRoot,
  type Selection,
  type SelectionPath,
  withSelection,
} from "./selection-path.js";
import { readerOf } from "./type-reader.js";

/** A variable of a loop, and those of the loops around it. */
interface LoopVariable {
  readonly name: string;
  readonly slot: number;
  readonly outer: LoopVariable | undefined;
}

/** Compiles the nodes of one expression to steps. */
export class ProgramCompiler {
  readonly #checked: CheckedExpression;
  readonly #observer: EvaluationObserver | undefined;
  #loop: LoopVariable | undefined;
  #slotCount = 0;

  constructor(checked: CheckedExpression, observer: EvaluationObserver | undefined) {
    this.#checked = checked;
    this.#observer = observer;
  }

  /** The number of slots that a frame needs. */
  get slotCount(): number {
    return this.#slotCount;
  }

  /** Compiles a node and all below it. Throws ProgramError if calls with literals cannot succeed. */
  compile(node: Expression): Plan {
    const plan = this.#compileNode(node);
    return this.#observer === undefined ? plan : observedPlan(this.#observer, node, plan);
  }

  /** Computes what is known before evaluation. Throws ProgramError in the place of EvaluationError. */
  #inProgram<T>(compute: () => T): T {
    try {
      return compute();
    } catch (thrown) {
      if (thrown instanceof EvaluationError) {
        throw new ProgramError(thrown.message, this.#checked.type);
      }
      throw thrown;
    }
  }

  #compileNode(node: Expression): Plan {
    switch (node.kind) {
      case "literal":
        return literalPlan(node.value);
      case "identifier":
        return this.#compileReference(node, node.name);
      case "select":
        return this.#compileSelect(node);
      case "call":
        return this.#compileCall(node);
      case "list":
        return this.#compileList(node);
      case "map":
        return this.#compileMap(node);
      case "struct":
        return this.#compileStruct(node);
      case "comprehension":
        return { run: this.#compileComprehension(node) };
    }
  }

  #compileReference(node: Expression, name: string): Plan {
    const slot = name.startsWith(".") ? undefined : this.#slotOf(name);
    if (slot !== undefined) {
      return this.#pathPlan({ root: { kind: "slot", slot }, selections: [] });
    }
    const qualified = this.#checked.referenceOf(node) ?? name.replace(/^\./, "");
    const { declarations } = this.#checked;
    if (this.#checked.typeOf(node).kind === "type") {
      if (declarations.message(qualified) && !declarations.isTypeValue(qualified)) {
        throw new ProgramError(`reference to undefined type: ${qualified}`, this.#checked.type);
      }
      return literalPlan(new TypeValue(qualified));
    }
    const constant = declarations.constant(qualified);
    if (constant !== undefined) {
      return literalPlan(constant);
    }
    return this.#pathPlan({ root: { kind: "variable", name: qualified }, selections: [] });
  }

  #slotOf(name: string): number | undefined {
    let loop = this.#loop;
    while (loop !== undefined && loop.name !== name) {
      loop = loop.outer;
    }
    return loop?.slot;
  }

  #pathPlan(path: SelectionPath): Plan {
    return { run: evaluatePath(path), path };
  }

  #compileSelect(node: Select): Plan {
    const reference = this.#checked.referenceOf(node);
    if (reference !== undefined) {
      return this.#compileReference(node, reference);
    }
    const { field, isTest, operand } = node;
    return this.#select(operand, { ...this.#fieldOf(operand, field), key: field, isOptional: false, isTest });
  }

  #select(operand: Expression, selection: Selection): Plan {
    const path = withSelection(pathOf(this.compile(operand)), selection);
    const { presenceTestCost } = this.#checked.settings;
    return { run: selection.isTest ? evaluateTest(path, presenceTestCost) : evaluatePath(path), path };
  }

  /** Returns how a field or entry is read, as the declared type of its container tells. */
  #fieldOf(operand: Expression, name: string): Pick<Selection, "member" | "read" | "isAbsentIfNull"> {
    let type = this.#checked.typeOf(operand);
    type = type.kind === "optional" ? type.value : type;
    if (type.kind === "object") {
      const field = type.field(name);
      return { member: field?.member, read: field?.read, isAbsentIfNull: field?.isAbsentIfNull };
    }
    return { read: this.#elementReader(operand) };
  }

  #elementReader(operand: Expression): ValueReader | undefined {
    let type = this.#checked.typeOf(operand);
    type = type.kind === "optional" ? type.value : type;
    return type.kind === "list" ? type.readElement : type.kind === "map" ? type.readValue : undefined;
  }

  #compileCall(node: Call): Plan {
    const [first, second, third] = node.args;
    switch (node.args.length) {
      case 1:
        return this.#compileOperator1(node, first as Expression);
      case 2:
        return this.#compileOperator2(node, first as Expression, second as Expression);
      case 3:
        if (node.name === "_?_:_") {
          return this.#compileConditional(first as Expression, second as Expression, third as Expression);
        }
    }
    return this.#compileFunction(node);
  }

  #compileOperator1(node: Call, operand: Expression): Plan {
    switch (node.name) {
      case "!_":
        return { run: notStep(this.compile(operand).run) };
      case "@not_strictly_false":
        return { run: notFalseStep(this.compile(operand).run) };
      case "or":
      case "orValue":
        return node.target === undefined ? this.#compileFunction(node) : this.#compileOr(node, node.target, operand);
      default:
        return this.#compileFunction(node);
    }
  }

  #compileOperator2(node: Call, left: Expression, right: Expression): Plan {
    switch (node.name) {
      case "_&&_":
        return { run: andStep(this.compile(left).run, this.compile(right).run) };
      case "_||_":
        return { run: orStep(this.compile(left).run, this.compile(right).run) };
      case "_[_]":
        return this.#compileIndex(left, right, false);
      case "_[?_]":
      case "_?._":
        return this.#compileIndex(left, right, true);
      case "@in":
        return this.#compileMembership(node, left, right);
      default:
        return this.#compileFunction(node);
    }
  }

  #compileConditional(condition: Expression, left: Expression, right: Expression): Plan {
    const root: PathRoot = {
      kind: "conditional",
      condition: this.compile(condition).run,
      left: pathOf(this.compile(left)),
      right: pathOf(this.compile(right)),
    };
    return this.#pathPlan({ root, selections: [] });
  }

  #compileIndex(container: Expression, index: Expression, isOptional: boolean): Plan {
    const { literal, path, run } = this.compile(index);
    if (literal !== undefined) {
      this.#inProgram(() => checkKey(literal, implementationTypeName));
      const field =
        typeof literal === "string" ? this.#fieldOf(container, literal) : { read: this.#elementReader(container) };
      return this.#select(container, { ...field, key: literal, isOptional, isTest: false });
    }
    const step = path === undefined ? run : evaluateBranch(path);
    const read = this.#elementReader(container);
    return this.#select(container, { key: undefined, index: step, isOptional, isTest: false, read });
  }

  /** Compiles `optional.or(other)` and `optional.orValue(value)`, of which the second is evaluated only if need be. */
  #compileOr(node: Call, target: Expression, other: Expression): Plan {
    const first = this.compile(target).run;
    const second = this.#leaving(other);
    const isValue = node.name === "orValue";
    return {
      run: (frame) => {
        const optional = first(frame);
        if (!(optional instanceof Optional)) {
          return optional;
        }
        return optional.value === undefined ? second(frame) : isValue ? optional.value : optional;
      },
    };
  }

  #compileMembership(node: Call, value: Expression, container: Expression): Plan {
    const plans = [this.compile(value), this.compile(container)] as const;
    const [{ run }, { literal }] = plans;
    const isListOnly = this.#checked.overloadsOf(node).length === 1;
    if (literal !== undefined && isListOnly && isList(literal)) {
      const items = itemsOf(literal);
      const step = membershipStep(run, items);
      return items.length === 0
        ? literalPlan(false)
        : step === undefined
          ? this.#compileFunction(node, plans)
          : { run: step };
    }
    return this.#compileFunction(node, plans);
  }

  #compileFunction(node: Call, compiled?: readonly Plan[]): Plan {
    const isQualified = this.#checked.referenceOf(node) !== undefined;
    const args = node.target === undefined || isQualified ? node.args : [node.target, ...node.args];
    const overloads = this.#checked.overloadsOf(node);
    const plans = compiled ?? args.map((argument) => this.compile(argument));
    const [argument, pattern] = plans;
    const isPrepared = overloads.some(({ overload }) => overload.prepare) && typeof pattern?.literal === "string";
    const implementation = isPrepared ? preparedImplementation(overloads) : implementationOf(overloads);
    if (overloads[0]?.overload.foldsLiteral && argument?.literal !== undefined) {
      return literalPlan(this.#inProgram(() => implementation(argument.literal as CelValue)));
    }
    const literals = plans.map(({ literal }) => literal);
    for (const { overload } of overloads) {
      this.#inProgram(() => overload.prepare?.(literals));
    }
    const steps = args.map((node, index) => this.#converting(node, (plans[index] as Plan).run));
    const cost = costOf(overloads);
    const step = isPrepared
      ? variadicStep(implementation, cost, steps)
      : (comparisonStep(node.name, steps, literals, binaryOperation(implementation, cost)) ??
        callStep(implementation, cost, steps));
    return { run: step };
  }

  #compileList({ elements, optionalIndexes }: ListLiteral): Plan {
    const plans = elements.map((element) => this.compile(element));
    const values = plans.map(({ literal }) => literal);
    if (values.every((value) => value !== undefined)) {
      return literalPlan(values);
    }
    const steps = elements.map((element, index) => this.#converting(element, (plans[index] as Plan).run));
    return { run: listStep(steps, optionalIndexes) };
  }

  #compileMap({ entries }: MapLiteral): Plan {
    const plans = entries.map(({ key, value }) => [this.compile(key), this.compile(value)] as const);
    const steps = entries.map(({ value, isOptional }, index) => {
      const [keyPlan, valuePlan] = plans[index] as (typeof plans)[number];
      return { key: keyPlan.run, value: this.#converting(value, valuePlan.run), isOptional };
    });
    const run = mapStep(steps);
    if (plans.every(([key, value]) => key.literal !== undefined && value.literal !== undefined)) {
      const frame = new Frame(0);
      frame.begin({}, Number.POSITIVE_INFINITY, undefined);
      const value = run(frame);
      return isError(value) ? { run } : literalPlan(value);
    }
    return { run };
  }

  #compileStruct(node: StructLiteral): Plan {
    const type = this.#checked.typeOf(node);
    const message = this.#checked.declarations.message(this.#checked.referenceOf(node) ?? node.typeName);
    const fields = node.fields.map(({ field, value, isOptional }) => ({
      member: (type.kind === "object" ? type.field(field)?.member : undefined) ?? field,
      value: this.#leaving(value),
      isOptional,
    }));
    return { run: structStep(fields, message) };
  }

  #compileComprehension(node: Comprehension): Step {
    const run = this.compile(node.range).run;
    const initial = this.compile(node.initial).run;
    const outer = this.#loop;
    const accumulatorSlot = this.#enterLoop(node.accumulator);
    const accumulatorOnly = this.#loop;
    const slot = this.#enterLoop(node.variable);
    const range: LoopRange = { run, slot, read: this.#elementReaderOfList(node.range) };
    try {
      return (
        this.#compileMacro(node, range) ??
        loopStep(range, {
          accumulatorSlot,
          initial,
          condition: this.compile(node.condition).run,
          step: this.#forElement(node, slot, this.#leaving(node.step)),
          result: this.#withLoop(accumulatorOnly, () => this.compile(node.result).run),
        })
      );
    } finally {
      this.#loop = outer;
    }
  }

  #elementReaderOfList(range: Expression): ValueReader | undefined {
    return this.#checked.typeOf(range).kind === "list" ? this.#elementReader(range) : undefined;
  }

  #enterLoop(name: string): number {
    const slot = this.#slotCount++;
    this.#loop = { name, slot, outer: this.#loop };
    return slot;
  }

  #withLoop<T>(loop: LoopVariable | undefined, compile: () => T): T {
    const current = this.#loop;
    this.#loop = loop;
    const compiled = compile();
    this.#loop = current;
    return compiled;
  }

  /** Compiles a loop that has the form of a macro of the language. Undefined: it has another form. */
  #compileMacro(node: Comprehension, range: LoopRange): Step | undefined {
    const quantified = quantifiedPredicate(node);
    if (quantified !== undefined) {
      const predicate = this.#forElement(node, range.slot, this.compile(quantified.predicate).run);
      return quantified.decisive ? existsStep(range, predicate) : allStep(range, predicate);
    }
    const accumulated = isEmptyList(node.initial) ? accumulatedStep(node) : undefined;
    const element = accumulated && appendedElement(node, accumulated.step);
    if (accumulated === undefined || element === undefined) {
      return undefined;
    }
    const { slot } = range;
    const predicate = accumulated.predicate && this.#forElement(node, slot, this.compile(accumulated.predicate).run);
    const plan = this.compile(element);
    const listCost = plan.literal === undefined ? 10 : 0;
    const run = this.#converting(element, plan.run);
    return collectStep(range, predicate, { run: predicate ? run : this.#forElement(node, slot, run), listCost });
  }

  /** Returns the first step that a loop takes with each element. */
  #forElement(loop: Comprehension, slot: number, run: Step): Step {
    return this.#observer === undefined ? run : observedElement(this.#observer, loop, slot, run);
  }

  /** Compiles a node whose value leaves static typing. */
  #leaving(node: Expression): Step {
    return this.#converting(node, this.compile(node).run);
  }

  /** Returns a step that converts the value of a node as its declared type asks. */
  #converting(node: Expression, run: Step): Step {
    const read = readerOf(this.#checked.typeOf(node));
    if (read === undefined) {
      return run;
    }
    return (frame) => {
      const value = run(frame);
      try {
        return isError(value) ? value : read(value);
      } catch (thrown) {
        return caughtError(thrown);
      }
    };
  }
}

/** Returns the path that a node is; a node that is something else is the root of one. */
function pathOf({ path, run }: Plan): SelectionPath {
  return path ?? { root: { kind: "value", run }, selections: [] };
}
