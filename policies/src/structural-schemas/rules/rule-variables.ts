import type { JsonValue } from "@gatehouse/envelopes/json";
import type { FieldPath } from "@gatehouse/envelopes/validation";
import { type CelValue, EvaluationError, type EvaluationProgress, Optional, type Variables } from "../../cel/index.js";
import type { CompiledRule } from "./compile-rules.js";
import { perCallLimit } from "./cost-limits.js";
import type { RuleNode } from "./rule-node.js";
import type { ComparedValue } from "./unchanged-parts.js";

/** A value and its place. */
export interface PlacedValue {
  readonly node: RuleNode;
  readonly value: JsonValue;
  readonly old: JsonValue | undefined;
  /** The path of the value; undefined for the object itself. */
  readonly path: FieldPath | undefined;
  /** The comparison of the value with its old value, or of the nearest value above that has one. */
  readonly compared: ComparedValue | undefined;
}

/** The outcome of one evaluation. */
export interface Outcome {
  readonly value?: CelValue;
  readonly error?: EvaluationError;
  readonly pending?: Promise<unknown>;
  readonly cost: number;
}

/** The variables of the rules of one value, which are read when a rule is evaluated. */
export class RuleVariables {
  readonly #place: PlacedValue;
  /** True if a rule uses the old value: then messages may use it, too. */
  readonly #hasOldSelf: boolean;
  #plain: Variables | undefined;
  #optional: Variables | undefined;

  constructor(place: PlacedValue, rules: readonly CompiledRule[]) {
    this.#place = place;
    this.#hasOldSelf = rules.some(({ usesOldSelf }) => usesOldSelf);
  }

  /** Evaluates a rule. The outcome is pending if that goes on later, with the same progress. */
  evaluate({ expression, source }: CompiledRule, progress: EvaluationProgress): Outcome {
    try {
      const variables = source.optionalOldSelf ? this.#withOptional() : this.plain();
      return (expression?.evaluate(variables, perCallLimit, progress) ?? { cost: 0 }) as Outcome;
    } catch (error) {
      if (error instanceof EvaluationError) {
        return { error, cost: 0 }; // A value that is not in its format.
      }
      throw error;
    }
  }

  /** Returns the variables of rules whose `oldSelf`, if there is one, is the old value itself. */
  plain(): Variables {
    if (this.#plain === undefined) {
      const { value, old } = this.#place;
      const self = this.#read(value);
      const hasOld = this.#hasOldSelf && old !== undefined && old !== null;
      this.#plain = hasOld ? { self, oldSelf: this.#read(old) } : { self };
    }
    return this.#plain;
  }

  #withOptional(): Variables {
    if (!this.#hasOldSelf) {
      return this.plain();
    }
    const { self, oldSelf } = this.plain();
    this.#optional ??= { self, oldSelf: new Optional(oldSelf) };
    return this.#optional;
  }

  #read(value: JsonValue): CelValue {
    const { read } = this.#place.node.declared;
    return read === undefined ? value : read(value);
  }
}
