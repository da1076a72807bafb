import { addRule, addRules, emptyRuleSet, type RuleSet } from "./rule-set.js";

/** An index of one member of a policy's rules: the rules that accept a value. */
export class RulesByValue {
  readonly #byValue = new Map<string, RuleSet>();
  /** The rules that accept any value. */
  readonly #any: RuleSet;

  /** Builds the index. `valuesOf` has one entry per rule: the accepted values; undefined accepts everything. */
  constructor(valuesOf: readonly (readonly string[] | undefined)[]) {
    const count = valuesOf.length;
    this.#any = emptyRuleSet(count);
    for (const [index, values] of valuesOf.entries()) {
      if (values === undefined) {
        addRule(this.#any, index);
      }
      for (const value of values ?? []) {
        addRule(this.#setOf(value, count), index);
      }
    }
    for (const set of this.#byValue.values()) {
      addRules(set, this.#any);
    }
  }

  #setOf(value: string, count: number): RuleSet {
    let set = this.#byValue.get(value);
    if (set === undefined) {
      set = emptyRuleSet(count);
      this.#byValue.set(value, set);
    }
    return set;
  }

  /** Returns the rules that accept a value; those that accept any when there is none. */
  accepting(value: string | undefined): RuleSet {
    return (value === undefined ? undefined : this.#byValue.get(value)) ?? this.#any;
  }

  /** The rules that accept at least one of the values. */
  acceptingAnyOf(values: Iterable<string>): RuleSet {
    let found: RuleSet | undefined;
    let isOurs = false;
    for (const value of values) {
      const set = this.#byValue.get(value);
      if (set === undefined || set === found) {
        continue;
      }
      if (found === undefined) {
        found = set;
      } else {
        found = isOurs ? found : found.slice();
        isOurs = true;
        addRules(found, set);
      }
    }
    return found ?? this.#any;
  }
}

/** Returns a list unless it is empty: in a policy, an empty list demands as little as none. */
export function populated(values: readonly string[] | undefined): readonly string[] | undefined {
  return values === undefined || values.length === 0 ? undefined : values;
}
