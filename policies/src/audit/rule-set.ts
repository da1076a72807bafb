/** A set of a policy's rules, by their index, as bits. Sets of one policy are of one size. */
export type RuleSet = Uint32Array;

/** Returns a set without rules, for a policy with `ruleCount` of them. */
export function emptyRuleSet(ruleCount: number): RuleSet {
  return new Uint32Array(Math.ceil(ruleCount / 32));
}

/** Adds a rule. */
export function addRule(set: RuleSet, index: number): void {
  const at = index >>> 5;
  set[at] = wordAt(set, at) | (1 << (index & 31));
}

/** Adds all rules of another set. */
export function addRules(set: RuleSet, more: RuleSet): void {
  for (let at = 0; at < set.length; at++) {
    set[at] = wordAt(set, at) | wordAt(more, at);
  }
}

/** Returns the first rule that is in all sets and accepted by `accepts`; -1 if there is none. */
export function firstCommonRule(sets: readonly RuleSet[], accepts: (index: number) => boolean): number {
  const words = sets[0]?.length ?? 0;
  for (let at = 0; at < words; at++) {
    let word = -1;
    for (const set of sets) {
      word &= wordAt(set, at);
    }
    while (word !== 0) {
      const lowest = word & -word;
      const index = at * 32 + 31 - Math.clz32(lowest);
      if (accepts(index)) {
        return index;
      }
      word ^= lowest;
    }
  }
  return -1;
}

function wordAt(set: RuleSet, at: number): number {
  return set[at] as number;
}
