import type { JsonObject } from "@gatehouse/envelopes/json";
import type { Steps } from "@gatehouse/envelopes/scheduling";
import type { ObjectSchema } from "@gatehouse/envelopes/schema";
import type { FieldError } from "@gatehouse/envelopes/status";
import { type ScalePaths, StructuralKind } from "@gatehouse/policies/structural-schemas";
import type { StrategyContext } from "../registry/strategies/strategy-context.js";

/** The kind, schema and scale of a version, from which its rules are made. */
export interface SchemaRulesInit {
  readonly group: string;
  readonly kind: string;
  readonly apiVersion: string;
  /** Returns the openAPIV3Schema; called when the first object is checked. */
  readonly source: () => JsonObject;
  /** The schema compiled from it. */
  readonly schema: () => ObjectSchema;
  readonly scale: ScalePaths | undefined;
  /** Rules beside those of the schema, asked only about objects that it allows. */
  readonly validate?: ValidateFurther;
}

/** Returns the errors of an object that its schema allows; `old` is undefined for a new one. Changes nothing. */
export type ValidateFurther = (
  object: JsonObject,
  old: JsonObject | undefined,
  context: StrategyContext,
) => readonly FieldError[];

/** The rules of a structural schema and those beside it, by which the objects of a version are checked. */
export class SchemaRules {
  readonly #options: SchemaRulesInit;
  #kind: StructuralKind | undefined;

  constructor(options: SchemaRulesInit) {
    this.#options = options;
  }

  /** The kind whose schema is compiled at the first use. */
  get kind(): StructuralKind {
    this.#kind ??= new StructuralKind({
      ...this.#options,
      source: this.#options.source(),
      schema: this.#options.schema(),
    });
    return this.#kind;
  }

  /**
   * Compiles all expressions. Throws a TypeError that names the first rule that does not compile, or whose estimated cost
   * is above v1.29's limit.
   */
  checkExpressions(): void {
    const [first] = this.kind.compileRules();
    if (first !== undefined) {
      const { kind, apiVersion } = this.#options;
      throw new TypeError(
        `the schema of ${kind} in ${apiVersion}: ${first.path || "x-kubernetes-validations"}: ${first.problem}`,
      );
    }
  }

  /** Returns the errors of an object, and sends warnings to the client. `old` is undefined for a new object. */
  *errors(
    object: JsonObject,
    old: JsonObject | undefined,
    metaErrors: readonly FieldError[],
    context: StrategyContext,
  ): Steps<readonly FieldError[]> {
    const { subresource, features, warn, expressionMetrics: metrics } = context;
    const ratchets = features.enabled("CRDValidationRatcheting");
    const write = { old, isStatus: subresource === "status", metaErrors, ratchets, metrics };
    const { errors, warnings } = yield* this.kind.validate(object, write);
    for (const warning of warnings) {
      warn(warning);
    }
    return (errors.length === 0 ? this.#options.validate?.(object, old, context) : undefined) ?? errors;
  }
}
