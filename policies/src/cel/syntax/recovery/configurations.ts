import type { TokenKind } from "../tokens.js";
import { Token } from "../tokens.js";
import { type CallStacks, CallStackTable } from "./call-stack.js";
import { type State, states, type Transition } from "./network.js";

/** A place that parsing may have come to, if it took an alternative. */
export interface Configuration {
  readonly state: State;
  readonly alternative: number;
  readonly stacks: CallStacks;
  /** The highest precedence with which the rule may have been called for this to be possible. Infinity: any. */
  readonly precedence: number;
  /** True if the rule in which the decision is made has been left. */
  readonly hasLeftRule: boolean;
  /** True if the loop of a left-recursive rule was left by a return that its filter must not drop. */
  readonly isUnfiltered: boolean;
}

/** Configurations without duplicates. Those that differ in their stacks only are one. */
export class ConfigurationSet {
  readonly #table: CallStackTable;
  readonly #emptyIsAny: boolean;
  readonly #items = new Map<string, Configuration>();

  constructor(table: CallStackTable, emptyIsAny: boolean) {
    this.#table = table;
    this.#emptyIsAny = emptyIsAny;
  }

  get items(): readonly Configuration[] {
    return [...this.#items.values()];
  }

  get size(): number {
    return this.#items.size;
  }

  add(added: Configuration): void {
    const key = `${added.state.id}/${added.alternative}/${added.precedence}`;
    const known = this.#items.get(key);
    if (known === undefined) this.#items.set(key, added);
    else {
      this.#items.set(key, {
        ...known,
        stacks: this.#table.merge(known.stacks, added.stacks, this.#emptyIsAny),
        hasLeftRule: known.hasLeftRule || added.hasLeftRule,
        isUnfiltered: known.isUnfiltered || added.isUnfiltered,
      });
    }
  }
}

/** Follows configurations through the network. `isFull`: their stacks are complete, so that an empty one is the end. */
export class Simulation {
  readonly table: CallStackTable;
  readonly isFull: boolean;

  constructor(isFull: boolean) {
    this.table = new CallStackTable();
    this.isFull = isFull;
  }

  /**
   * Returns the configurations at the beginning of a decision. `precedence`: that with which the rule was called, if the
   * simulation is a full one.
   */
  begin(decision: State, stacks: CallStacks, precedence: number): readonly Configuration[] {
    const found = this.#set();
    for (const [index, { target }] of decision.transitions.entries()) {
      const first: Configuration = {
        state: target,
        alternative: index + 1,
        stacks,
        precedence: Number.POSITIVE_INFINITY,
        hasLeftRule: false,
        isUnfiltered: false,
      };
      this.#close(first, found, { busy: new Set(), collects: true, called: precedence, decision, pastEnd: false }, 0);
    }
    return found.items;
  }

  /** Returns the configurations behind a token; none if no alternative has it. */
  step(from: readonly Configuration[], kind: TokenKind): readonly Configuration[] {
    const past = this.#set();
    const atStop: Configuration[] = [];
    for (const configuration of from) {
      if (configuration.state.kind === "ruleStop") {
        if (this.isFull || kind === Token.end) atStop.push(configuration);
        continue;
      }
      for (const transition of configuration.state.transitions) {
        if (transition.type === "token" && transition.kinds.has(kind)) {
          past.add({ ...configuration, state: transition.target });
        }
      }
    }
    const intermediate = past.items;
    if (atStop.length === 0 && kind !== Token.end && uniqueAlternative(intermediate) !== 0) return intermediate;
    const reached = this.#set();
    const search: Search = {
      busy: new Set(),
      collects: false,
      called: 0,
      decision: undefined,
      pastEnd: kind === Token.end,
    };
    for (const configuration of intermediate) this.#close(configuration, reached, search, 0);
    const result = this.#set();
    for (const configuration of reached.items) {
      if (kind !== Token.end || configuration.state.kind === "ruleStop") result.add(configuration);
    }
    if (!this.isFull || !result.items.some(({ state }) => state.kind === "ruleStop")) {
      for (const configuration of atStop) result.add(configuration);
    }
    return result.items;
  }

  #set(): ConfigurationSet {
    return new ConfigurationSet(this.table, !this.isFull);
  }

  /** Adds the configurations that are reached without a token. `depth`: calls of rules, 0 in that of the decision. */
  #close(from: Configuration, found: ConfigurationSet, search: Search, depth: number): void {
    if (from.state.kind !== "ruleStop") {
      this.#closeState(from, found, search, depth);
      return;
    }
    for (const [returnState, below] of from.stacks.next) {
      const state = states[returnState] as State;
      const returned = { ...from, state, stacks: below, isUnfiltered: false };
      this.#close(returned, found, search, depth - 1);
    }
    if (!from.stacks.isEmpty) return;
    const left = { ...from, stacks: this.table.empty };
    if (this.isFull) found.add(left);
    else this.#closeState(left, found, search, depth);
  }

  #closeState(from: Configuration, found: ConfigurationSet, search: Search, depth: number): void {
    const { state } = from;
    if (state.transitions.length === 0 || state.transitions.some(({ type }) => type === "token")) found.add(from);
    for (const transition of state.transitions) {
      const next = this.#follow(from, transition, search, depth);
      if (next === undefined) continue;
      if (state.kind !== "ruleStop") {
        if (transition.type === "token" && isKnown(search.busy, next)) continue;
        this.#close(next, found, search, transition.type === "rule" && depth >= 0 ? depth + 1 : depth);
        continue;
      }
      const isUnfiltered =
        next.isUnfiltered ||
        (search.decision?.isPrecedenceDecision === true &&
          transition.type === "epsilon" &&
          transition.outermostReturn === search.decision.rule);
      const left = { ...next, hasLeftRule: true, isUnfiltered };
      if (!isKnown(search.busy, left)) this.#close(left, found, search, depth - 1);
    }
  }

  #follow(from: Configuration, transition: Transition, search: Search, depth: number): Configuration | undefined {
    switch (transition.type) {
      case "epsilon":
        return { ...from, state: transition.target };
      case "rule": {
        const stacks = this.table.push(transition.target.id, from.stacks);
        return { ...from, state: transition.rule.start, stacks };
      }
      case "precedence":
        if (!search.collects || depth !== 0) return { ...from, state: transition.target };
        if (!this.isFull) {
          const precedence = Math.min(from.precedence, transition.precedence);
          return { ...from, state: transition.target, precedence };
        }
        return transition.precedence >= search.called ? { ...from, state: transition.target } : undefined;
      case "token":
        return search.pastEnd && transition.kinds.has(Token.end) ? { ...from, state: transition.target } : undefined;
    }
  }
}

interface Search {
  /** Configurations that need not be followed again. */
  readonly busy: Set<string>;
  /** True at the beginning of a decision, where precedences matter. */
  readonly collects: boolean;
  /** The precedence with which the rule was called. */
  readonly called: number;
  readonly decision: State | undefined;
  /** True if the end of the source has been read: it is there as often as it is wanted. */
  readonly pastEnd: boolean;
}

function isKnown(busy: Set<string>, { state, alternative, stacks, precedence, isUnfiltered }: Configuration): boolean {
  const key = `${state.id}/${alternative}/${stacks.id}/${precedence}/${isUnfiltered}`;
  if (busy.has(key)) return true;
  busy.add(key);
  return false;
}

/** Returns the only alternative of configurations; 0 if there are several, or none. */
export function uniqueAlternative(configurations: readonly Configuration[]): number {
  const first = configurations[0]?.alternative ?? 0;
  return configurations.every(({ alternative }) => alternative === first) ? first : 0;
}

/** Returns the sets of alternatives that have come to the same state with the same stacks. */
export function conflicts(configurations: readonly Configuration[]): readonly ReadonlySet<number>[] {
  const sets = new Map<string, Set<number>>();
  for (const { state, stacks, alternative } of configurations) {
    const key = `${state.id}/${stacks.id}`;
    const set = sets.get(key);
    if (set === undefined) sets.set(key, new Set([alternative]));
    else set.add(alternative);
  }
  return [...sets.values()];
}
