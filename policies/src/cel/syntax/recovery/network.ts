import type { TokenKind } from "../tokens.js";
import { type GrammarPart, type GrammarRule, grammar } from "./grammar.js";

/** The kinds of states of which the error strategy knows. */
export type StateKind =
  | "basic"
  | "blockStart"
  | "blockEnd"
  | "plusBlockStart"
  | "starBlockStart"
  | "starLoopEntry"
  | "starLoopBack"
  | "plusLoopBack"
  | "ruleStop";

/** A step from one state to another. */
export type Transition =
  /** Past nothing. `outermostReturn`: the left-recursive rule that a call with the lowest precedence returns from. */
  | { readonly type: "epsilon"; target: State; readonly outermostReturn?: NetworkRule | undefined }
  /** Past a token of one of the kinds. */
  | {
      readonly type: "token";
      target: State;
      readonly kinds: ReadonlySet<TokenKind>;
      readonly label: string | undefined;
    }
  /** Into a rule, behind which `target` follows. */
  | {
      readonly type: "rule";
      target: State;
      readonly rule: NetworkRule;
      readonly precedence: number;
      readonly label: string | undefined;
    }
  /** Past nothing, if the rule was called with this precedence at most. */
  | { readonly type: "precedence"; target: State; readonly precedence: number };

/** A state of the network that a grammar is. */
export interface State {
  readonly id: number;
  readonly kind: StateKind;
  readonly rule: NetworkRule;
  readonly transitions: Transition[];
  /** Names of the alternatives that the transitions lead to, if these have names. */
  names: readonly string[];
  /** True if the alternative is found by looking ahead as far as it takes, false if by one token. */
  isPredicted: boolean;
  /** True for the loop of a left-recursive rule. */
  isPrecedenceDecision: boolean;
}

/** A rule as a part of the network. */
export interface NetworkRule {
  readonly name: string;
  readonly index: number;
  readonly start: State;
  readonly stop: State;
  readonly isRecursive: boolean;
}

/** The part of a network between two states. */
interface Fragment {
  readonly left: State;
  readonly right: State;
}

/** The kinds of the states at which an alternative ends. */
const tailKinds: ReadonlySet<StateKind> = new Set<StateKind>(["blockEnd", "plusLoopBack", "starLoopBack"]);

/** Builds the network of the grammar. Its states are laid out as v1.29's parser has them, on which its messages depend. */
class NetworkBuilder {
  readonly states: State[] = [];
  readonly rules = new Map<string, NetworkRule>();
  #rule!: NetworkRule;

  build(definitions: readonly GrammarRule[]): NetworkRule {
    for (const [index, { name, continuations }] of definitions.entries())
      this.#declare(name, index, continuations.length > 0);
    for (const definition of definitions) this.#define(definition);
    for (const state of this.states) skipTail(state);
    for (const state of this.states) {
      for (const transition of state.transitions) if (transition.type === "rule") linkReturn(transition);
    }
    const first = definitions[0]?.name ?? "";
    return this.#ruleNamed(first);
  }

  #declare(name: string, index: number, isRecursive: boolean): void {
    const rule = { name, index, isRecursive } as { -readonly [Key in keyof NetworkRule]: NetworkRule[Key] };
    this.#rule = rule;
    rule.start = this.#state("basic");
    rule.stop = this.#state("ruleStop");
    this.rules.set(name, rule);
  }

  #define(definition: GrammarRule): void {
    this.#rule = this.#ruleNamed(definition.name);
    const { part, continuations } = definition;
    let body = this.#fragment(part);
    if (continuations.length > 0) {
      const alternatives = continuations.map((continuation) =>
        this.#continuation(continuation.precedence, continuation.part),
      );
      const loop = this.#loop(alternatives, true);
      const [block] = loop.left.transitions;
      if (block) block.target.names = continuations.map(({ name }) => name);
      loop.left.isPrecedenceDecision = true;
      body = this.#join([body, loop]);
    }
    epsilon(this.#rule.start, body.left);
    epsilon(body.right, this.#rule.stop);
  }

  #continuation(precedence: number, part: GrammarPart): Fragment {
    const left = this.#state("basic");
    const right = this.#state("basic");
    left.transitions.push({ type: "precedence", target: right, precedence });
    return this.#join([{ left, right }, this.#fragment(part)]);
  }

  #fragment(part: GrammarPart): Fragment {
    switch (part.type) {
      case "token": {
        const [left, right] = [this.#state("basic"), this.#state("basic")];
        left.transitions.push({ type: "token", target: right, kinds: new Set(part.kinds), label: part.label });
        return { left, right };
      }
      case "rule": {
        const [left, right] = [this.#state("basic"), this.#state("basic")];
        const { label, precedence } = part;
        left.transitions.push({ type: "rule", target: right, rule: this.#ruleNamed(part.rule), precedence, label });
        return { left, right };
      }
      case "sequence":
        return this.#join(part.parts.map((each) => this.#fragment(each)));
      case "choice": {
        const block = this.#block(
          "blockStart",
          part.alternatives.map(({ part: each }) => this.#fragment(each)),
        );
        block.left.names = part.alternatives.map(({ name }) => name);
        block.left.isPredicted = true;
        return block;
      }
      case "optional": {
        const block = this.#block("blockStart", [this.#fragment(part.part)]);
        epsilon(block.left, block.right);
        block.left.isPredicted = part.isPredicted;
        return block;
      }
      case "star":
        return this.#loop([this.#fragment(part.part)], part.isPredicted);
      case "plus": {
        const block = this.#block("plusBlockStart", [this.#fragment(part.part)]);
        const back = this.#state("plusLoopBack");
        const right = this.#state("basic");
        epsilon(block.right, back);
        epsilon(back, block.left);
        epsilon(back, right);
        back.isPredicted = part.isPredicted;
        return { left: block.left, right };
      }
    }
  }

  #block(kind: StateKind, alternatives: readonly Fragment[]): Fragment {
    const [left, right] = [this.#state(kind), this.#state("blockEnd")];
    for (const alternative of alternatives) {
      epsilon(left, alternative.left);
      epsilon(alternative.right, right);
    }
    left.isPredicted = alternatives.length > 1;
    return { left, right };
  }

  #loop(alternatives: readonly Fragment[], isPredicted: boolean): Fragment {
    const block = this.#block("starBlockStart", alternatives);
    const entry = this.#state("starLoopEntry");
    const back = this.#state("starLoopBack");
    const right = this.#state("basic");
    epsilon(entry, block.left);
    epsilon(entry, right);
    epsilon(block.right, back);
    epsilon(back, entry);
    entry.isPredicted = isPredicted;
    return { left: entry, right };
  }

  /** Puts fragments one behind the other. A fragment of one step is joined without a state in between. */
  #join(fragments: readonly Fragment[]): Fragment {
    const first = fragments[0] as Fragment;
    for (const [index, fragment] of fragments.entries()) {
      const next = fragments[index + 1];
      if (next === undefined) return { left: first.left, right: fragment.right };
      const step = fragment.left.transitions[0];
      const isOneStep =
        fragment.left.transitions.length === 1 && step?.target === fragment.right && step.type !== "epsilon";
      if (isOneStep) step.target = next.left;
      else epsilon(fragment.right, next.left);
    }
    return first;
  }

  #ruleNamed(name: string): NetworkRule {
    const rule = this.rules.get(name);
    if (rule === undefined) throw new TypeError(`no rule ${name}`);
    return rule;
  }

  #state(kind: StateKind): State {
    const state: State = {
      id: this.states.length,
      kind,
      rule: this.#rule,
      transitions: [],
      names: [],
      isPredicted: false,
      isPrecedenceDecision: false,
    };
    this.states.push(state);
    return state;
  }
}

/**
 * Lets the last step of an alternative lead to the end of its block, without a state in between: alternatives that end with
 * the same rule return from it to the same state, so that predictions take them for the same.
 */
function skipTail(state: State): void {
  const step = state.transitions[0];
  if (state.kind !== "basic" || state.transitions.length !== 1 || step === undefined) return;
  const { kind, transitions } = step.target;
  const next = transitions[0];
  if (kind !== "basic" || transitions.length !== 1 || next?.type !== "epsilon") return;
  if (tailKinds.has(next.target.kind)) step.target = next.target;
}

/** Lets the end of a rule lead to what follows a call of it, for those who do not know the callers. */
function linkReturn(call: Extract<Transition, { type: "rule" }>): void {
  const outermostReturn = call.rule.isRecursive && call.precedence === 0 ? call.rule : undefined;
  call.rule.stop.transitions.push({ type: "epsilon", target: call.target, outermostReturn });
}

function epsilon(from: State, target: State): void {
  from.transitions.push({ type: "epsilon", target });
}

const builder = new NetworkBuilder();

/** The rule of a whole expression. */
export const startRule: NetworkRule = builder.build(grammar);

/** The states of the network, by their ids. */
export const states: readonly State[] = builder.states;
