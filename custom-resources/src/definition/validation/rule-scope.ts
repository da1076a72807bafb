import type { JsonObject } from "@gatehouse/envelopes/json";
import {
  type DeclaredType,
  declareSchema,
  escapedName,
  maxValuesBelow,
  partOf,
} from "@gatehouse/policies/structural-schemas";

/** A node of a schema as its rules see it: the type of the values there, and how many of them an object may have. */
export class RuleScope {
  readonly schema: JsonObject;
  /** Largest number of values that an object may have in this place; undefined where the schema sets no bound. */
  readonly maxValues: bigint | undefined;
  readonly #parent: RuleScope | undefined;
  /** The step from the parent in the sense of `partOf`; undefined for a property that expressions cannot name. */
  readonly #step: string | undefined;
  /** True if there are rules here or above, so that the type of the parent is known or worth knowing. */
  readonly hasRules: boolean;
  #declared: DeclaredType | undefined;

  private constructor(schema: JsonObject, parent: RuleScope | undefined, step: string | undefined) {
    this.schema = schema;
    this.#parent = parent;
    this.#step = step;
    const rules = schema["x-kubernetes-validations"];
    this.hasRules = parent?.hasRules === true || (Array.isArray(rules) && rules.length > 0);
    this.maxValues = parent === undefined ? 1n : maxValuesBelow(parent.schema, parent.maxValues);
  }

  /** Returns the scope of the root of a schema. */
  static ofRoot(schema: JsonObject): RuleScope {
    return new RuleScope(schema, undefined, undefined);
  }

  property(name: string, schema: JsonObject): RuleScope {
    return new RuleScope(schema, this, escapedName(name));
  }

  items(schema: JsonObject): RuleScope {
    return new RuleScope(schema, this, "@items");
  }

  values(schema: JsonObject): RuleScope {
    return new RuleScope(schema, this, "@values");
  }

  /** The type of the values; undefined where expressions have no access to them. */
  get declared(): DeclaredType | undefined {
    this.#declared ??= this.#partOfParent() ?? declareSchema(this.schema, this.#parent === undefined || undefined);
    return this.#declared;
  }

  #partOfParent(): DeclaredType | undefined {
    const parent = this.#parent?.hasRules === true ? this.#parent.declared : undefined;
    return parent === undefined || this.#step === undefined ? undefined : partOf(parent, this.#step);
  }
}
