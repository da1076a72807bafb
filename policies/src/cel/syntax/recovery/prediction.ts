import type { TokenKind } from "../tokens.js";
import type { CallStacks, CallStackTable } from "./call-stack.js";
import { type Configuration, conflicts, Simulation, uniqueAlternative } from "./configurations.js";
import type { State } from "./network.js";

/** The parser at a decision, as far as predictions need it. */
export interface PredictionContext {
  /** Returns the kind of the token that many tokens ahead; 0 is the next one. */
  lookAhead(distance: number): TokenKind;
  /** The precedence with which the rule was called. */
  readonly precedence: number;
  /** Returns the states to which the open rules return. */
  stacks(table: CallStackTable): CallStacks;
}

/** The alternative that a decision takes; or the distance of the token that is in none of them. */
export type Prediction =
  | { readonly alternative: number; readonly failedAt?: undefined }
  | { readonly failedAt: number; readonly alternative?: undefined };

/** A state of the automaton of a decision, which is built while it is used. */
interface LookaheadState {
  readonly configurations: readonly Configuration[];
  readonly edges: Map<TokenKind, LookaheadState | undefined>;
  /** The alternatives that are possible still, if looking further does not tell more. */
  readonly outcome: readonly number[] | undefined;
  readonly isConflict: boolean;
}

/** Bounds the memory of the automata, which are dropped when they have grown beyond it. */
const maxLookaheadStates = 20_000;

let simulation = new Simulation(false);
let lookaheadStates = new Map<string, LookaheadState>();

/**
 * Predicts the alternative of a decision by looking ahead as far as it takes: first without the open rules, and with them
 * if alternatives are in conflict. The first answer is cached, since it depends on the tokens only.
 */
export function predict(decision: State, context: PredictionContext): Prediction {
  if (lookaheadStates.size > maxLookaheadStates) {
    simulation = new Simulation(false);
    lookaheadStates = new Map();
  }
  let state = beginning(decision, context.precedence);
  for (let distance = 0; ; distance++) {
    const next = edge(state, decision, context.lookAhead(distance));
    if (next === undefined) return fallback(state.configurations, context, distance);
    if (next.outcome !== undefined) return decide(next, decision, context, distance);
    state = next;
  }
}

function beginning(decision: State, precedence: number): LookaheadState {
  const key = decision.isPrecedenceDecision ? `${decision.id}:${precedence}` : `${decision.id}`;
  let known = lookaheadStates.get(key);
  if (known === undefined) {
    const begun = simulation.begin(decision, simulation.table.empty, precedence);
    const configurations = decision.isPrecedenceDecision ? filterByPrecedence(begun, precedence) : begun;
    known = { configurations, edges: new Map(), outcome: undefined, isConflict: false };
    lookaheadStates.set(key, known);
  }
  return known;
}

/** Drops what binds less than the rule was called for, and what the first alternative, going on with the loop, has too. */
function filterByPrecedence(configurations: readonly Configuration[], called: number): readonly Configuration[] {
  const goingOn = configurations
    .filter(({ alternative, precedence }) => alternative === 1 && precedence >= called)
    .map((configuration) => ({ ...configuration, precedence: Number.POSITIVE_INFINITY }));
  const stacksByState = new Map(goingOn.map(({ state, stacks }) => [state, stacks]));
  const leaving = configurations.filter(
    ({ alternative, state, stacks, isUnfiltered }) =>
      alternative !== 1 && (isUnfiltered || stacksByState.get(state) !== stacks),
  );
  return [...goingOn, ...leaving];
}

function edge(from: LookaheadState, decision: State, kind: TokenKind): LookaheadState | undefined {
  if (from.edges.has(kind)) return from.edges.get(kind);
  const configurations = simulation.step(from.configurations, kind);
  const to = configurations.length === 0 ? undefined : intern(configurations, decision);
  from.edges.set(kind, to);
  return to;
}

function intern(configurations: readonly Configuration[], decision: State): LookaheadState {
  const parts = configurations.map(
    ({ state, alternative, stacks, precedence, hasLeftRule }) =>
      `${state.id}/${alternative}/${stacks.id}/${precedence}/${hasLeftRule}`,
  );
  const key = `${decision.id} ${parts.join(" ")}`;
  let known = lookaheadStates.get(key);
  if (known === undefined) {
    const unique = uniqueAlternative(configurations);
    const isConflict = unique === 0 && isHopeless(configurations);
    const alternatives = conflicts(configurations).flatMap((set) => [...set]);
    const outcome = unique !== 0 ? [unique] : isConflict ? [...new Set(alternatives)].sort((a, b) => a - b) : undefined;
    known = { configurations, edges: new Map(), outcome, isConflict };
    lookaheadStates.set(key, known);
  }
  return known;
}

/** Tells whether looking further without the open rules would tell no more. */
function isHopeless(configurations: readonly Configuration[]): boolean {
  if (configurations.every(({ state }) => state.kind === "ruleStop")) return true;
  // Precedences are left out of account here, as v1.29 does.
  if (!conflicts(configurations).some((set) => set.size > 1)) return false;
  const alternatives = new Map<State, Set<number>>();
  for (const { state, alternative } of configurations) {
    alternatives.set(state, (alternatives.get(state) ?? new Set()).add(alternative));
  }
  return [...alternatives.values()].every((set) => set.size > 1);
}

function decide(state: LookaheadState, decision: State, context: PredictionContext, distance: number): Prediction {
  const possible = permitted(state, context.precedence);
  if (state.isConflict && possible.length !== 1) return predictWithOpenRules(decision, context);
  const alternative = possible[0];
  return alternative === undefined ? { failedAt: distance } : { alternative };
}

/** Returns the alternatives of an outcome that the precedence permits. */
function permitted({ outcome = [], configurations }: LookaheadState, called: number): readonly number[] {
  return outcome.filter((each) =>
    configurations.some(({ alternative, precedence }) => alternative === each && precedence >= called),
  );
}

function predictWithOpenRules(decision: State, context: PredictionContext): Prediction {
  const full = new Simulation(true);
  let configurations = full.begin(decision, context.stacks(full.table), context.precedence);
  for (let distance = 0; ; distance++) {
    const next = full.step(configurations, context.lookAhead(distance));
    if (next.length === 0) return fallback(configurations, context, distance);
    const unique = uniqueAlternative(next);
    if (unique !== 0) return { alternative: unique };
    const smallest = new Set(conflicts(next).map((set) => Math.min(...set)));
    const [only] = smallest;
    if (smallest.size === 1 && only !== undefined) return { alternative: only };
    configurations = next;
  }
}

/** Takes the first alternative that has come to the end of its rule before the token that none has. */
function fallback(configurations: readonly Configuration[], context: PredictionContext, distance: number): Prediction {
  const finished = configurations.filter(
    ({ state, stacks, hasLeftRule }) => hasLeftRule || (state.kind === "ruleStop" && stacks.isEmpty),
  );
  const valid = finished.filter(({ precedence }) => precedence >= context.precedence);
  const alternatives = (valid.length > 0 ? valid : finished).map(({ alternative }) => alternative);
  return alternatives.length > 0 ? { alternative: Math.min(...alternatives) } : { failedAt: distance };
}
