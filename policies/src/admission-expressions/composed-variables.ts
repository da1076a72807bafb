import { goQuote } from "@gatehouse/envelopes/go";
import {
  CelObject,
  type CelType,
  type CelValue,
  type Declarations,
  dynType,
  EvaluationError,
  EvaluationProgress,
  listType,
  mapType,
  type ObjectField,
  type ObjectType,
  type ObserveExpression,
  PendingAnswer,
  type Variables,
} from "../cel/index.js";
import { compileTypedExpression, type TypedExpression } from "./compile-typed-expression.js";
import { expressionCostLimit } from "./evaluate-expressions.js";

/** A named expression of a policy, which later expressions use as `variables.name`. */
export interface ComposedVariable {
  readonly name: string;
  readonly expression: TypedExpression;
}

const typeName = "kubernetes.variables";

/** Compiles the variables of a policy, one after the other: each may use those before it. */
export class VariableComposer {
  readonly #fields = new Map<string, ObjectField>();
  /** The type of `variables`, which has the fields that have been added so far. */
  readonly type: ObjectType = { kind: "object", name: typeName, field: (name) => this.#fields.get(name) };

  /**
   * Adds a variable. `declarations`: the names that it may use besides the variables before it. One that does not compile
   * has the type dyn.
   */
  add(name: string, source: string, declarations: Declarations, observe?: ObserveExpression): ComposedVariable {
    const expression = compileTypedExpression(source, this.declare(declarations), undefined, observe);
    this.#fields.set(name, { type: composedType(expression.expression?.type), member: name });
    return { name, expression };
  }

  /** Returns declarations with `variables`. */
  declare(declarations: Declarations): Declarations {
    return declarations.withVariables(new Map([["variables", this.type]]));
  }
}

const plainTypes: ReadonlySet<CelType["kind"]> = new Set([
  ...(["bool", "bytes", "double", "duration", "int", "null", "string", "timestamp", "uint"] as const),
]);

/** Returns the type that other expressions see: types of the language and lists and maps of them, all others as dyn. */
function composedType(type: CelType | undefined): CelType {
  if (type === undefined) {
    return dynType;
  }
  switch (type.kind) {
    case "list":
      return listType(composedType(type.elements));
    case "map":
      return mapType(composedType(type.keys), composedType(type.values));
    default:
      // Without what else is known of a type: v1.29 takes a wrapper for the type that it is around.
      return plainTypes.has(type.kind) ? ({ kind: type.kind } as CelType) : dynType;
  }
}

/** Stands for the value of a variable while it is evaluated. */
const underEvaluation = new EvaluationError("");

/** The values of the variables of a policy for one list of expressions: each is evaluated when it is first used. */
export class ComposedVariables extends CelObject {
  readonly typeName: string = typeName;
  readonly #variables: ReadonlyMap<string, ComposedVariable>;
  readonly #others: Variables;
  readonly #values = new Map<string, CelValue | EvaluationError>();
  /** Variables whose evaluation gives way to other work, or waits for an answer from outside. */
  readonly #underWay = new Map<string, EvaluationProgress>();
  #cost = 0;

  /** `others`: the variables that these may use, these themselves among them. */
  constructor(variables: ReadonlyMap<string, ComposedVariable>, others: Variables) {
    super();
    this.#variables = variables;
    this.#others = others;
  }

  field(name: string): CelValue | undefined {
    const variable = this.#variables.get(name);
    if (variable === undefined) {
      return undefined;
    }
    let value = this.#values.get(name);
    if (value === undefined) {
      this.#values.set(name, underEvaluation);
      try {
        value = this.#evaluate(variable);
        this.#values.set(name, value);
      } catch (error) {
        this.#values.delete(name);
        throw error;
      }
    }
    if (value instanceof EvaluationError) {
      // A variable that comes to itself through another one of its name has no value.
      throw value === underEvaluation
        ? new EvaluationError(`composited variable ${goQuote(name)} refers to itself`)
        : value;
    }
    return value;
  }

  /** Returns what the variables have cost since the last call. */
  takeCost(): number {
    const cost = this.#cost;
    this.#cost = 0;
    return cost;
  }

  #evaluate({ name, expression: { expression, problem } }: ComposedVariable): CelValue | EvaluationError {
    if (expression === undefined) {
      return new EvaluationError(`composited variable ${goQuote(name)} fails to compile: ${problem}`);
    }
    const progress = this.#underWay.get(name) ?? new EvaluationProgress();
    const { value, error, pending, cost } = expression.evaluate(this.#others, expressionCostLimit, progress);
    if (pending !== undefined) {
      this.#underWay.set(name, progress);
      throw new PendingAnswer(pending);
    }
    this.#underWay.delete(name);
    this.#cost += cost;
    return error === undefined
      ? value
      : new EvaluationError(`composited variable ${goQuote(name)} fails to evaluate: ${error.message}`);
  }
}
