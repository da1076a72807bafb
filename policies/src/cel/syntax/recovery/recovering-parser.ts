import { type CompileProblem, noPlace } from "../compile-error.js";
import { maxDepth } from "../parser.js";
import { Token, type TokenKind, type Tokens } from "../tokens.js";
import type { CallStacks, CallStackTable } from "./call-stack.js";
import { addLabelled, type ConcreteNode, type ConcreteToken } from "./concrete-tree.js";
import { type NetworkRule, type State, startRule, type Transition } from "./network.js";
import { predict } from "./prediction.js";
import { formatWithoutArguments } from "./printf.js";
import { atEndOfRule, describeMissing, describeTokens, nextTokens, type TokenSet } from "./token-sets.js";
import { TokenStream } from "./token-stream.js";

/** The number of syntax errors behind which parsing ends. */
const maxSyntaxErrors = 100;
/** The number of times that parsing goes on behind an error. */
const maxRecoveries = 30;
/** The number of tokens that are left out to go on behind an error. */
const maxSkipped = 256;

/** The outcome of a parser that goes on behind errors. */
export interface Recovered {
  readonly problems: CompileProblem[];
  /** The tree, parts of which may be missing; undefined if the parser has given up. */
  readonly tree: ConcreteNode | undefined;
}

/** Parses an expression that has errors, goes on behind each, and tells them as v1.29 does. */
export function parseWithRecovery(source: string, tokens: Tokens): Recovered {
  const parser = new RecoveringParser(source, tokens);
  try {
    return { problems: parser.problems, tree: parser.parse() };
  } catch (error) {
    if (!(error instanceof GivingUp)) throw error;
    if (error.message !== undefined) parser.problems.push({ message: error.message, offset: noPlace });
    return { problems: parser.problems, tree: undefined };
  }
}

/** The end of parsing, with a message about the limit that is reached if nobody has told it yet. */
class GivingUp {
  readonly message: string | undefined;

  constructor(message?: string) {
    this.message = message;
  }
}

/** An error at which a rule ends. The expected tokens are those of the state and the rules that are open now. */
interface Mismatch {
  readonly message: string;
  readonly offset: number;
}

/** Walks through the network of the grammar. Has a stack of its own, so that the depth of sources is no matter. */
class RecoveringParser {
  readonly problems: CompileProblem[] = [];
  readonly #stream: TokenStream;
  readonly #precedences: number[] = [];
  readonly #openRules: number[] = [];
  #node!: ConcreteNode;
  /** The state that error messages are about. */
  #state: State = startRule.start;
  #syntaxErrors = 0;
  #recoveries = 0;
  #isRecovering = false;
  #lastErrorIndex = -1;
  readonly #lastErrorStates = new Set<State>();

  constructor(source: string, tokens: Tokens) {
    this.#stream = new TokenStream(source, tokens, ({ start, end }) => {
      this.#tell(`token recognition error at: '${source.slice(start, end)}'`, start);
    });
  }

  parse(): ConcreteNode {
    this.#enter(startRule, undefined, 0);
    const root = this.#node;
    let at: State | undefined = startRule.start;
    while (at !== undefined) {
      const next: State | Mismatch | undefined = this.#step(at);
      at = next !== undefined && "message" in next ? this.#endRule(next) : next;
    }
    return root;
  }

  /** Goes on from a state. Returns the next one, an error, or nothing at the end of the outermost rule. */
  #step(at: State): State | Mismatch | undefined {
    switch (at.kind) {
      case "ruleStop":
        return this.#leave();
      case "starLoopBack":
      case "plusLoopBack":
        return this.#loopBack(at);
      case "starLoopEntry":
      case "blockStart":
        return this.#sync(at) ?? this.#choose(at);
      case "plusBlockStart":
        return this.#sync(at) ?? at.transitions[0]?.target;
      case "starBlockStart":
        return this.#startOfLoop(at);
      default:
        return this.#take(at);
    }
  }

  #take(at: State): State | Mismatch | undefined {
    const transition = at.transitions[0];
    switch (transition?.type) {
      case "token":
        return this.#match(at, transition);
      case "rule":
        this.#state = at;
        this.#enter(transition.rule, at, transition.precedence);
        return transition.rule.start.transitions[0]?.target;
      default:
        return transition?.target;
    }
  }

  /** Chooses between the ways on from a decision. */
  #choose(decision: State): State | Mismatch | undefined {
    const [first, second] = decision.transitions;
    if (!decision.isPredicted) {
      const isFirst = first !== undefined && nextTokens(first.target).has(this.#stream.kind());
      return (isFirst ? first : second)?.target;
    }
    const prediction = predict(decision, {
      lookAhead: (distance) => this.#stream.kind(distance),
      precedence: this.#precedences.at(-1) ?? 0,
      stacks: (table) => this.#callStacks(table),
    });
    if (prediction.alternative === undefined) return this.#noViableAlternative(prediction.failedAt);
    const chosen = prediction.alternative - 1;
    if (decision.kind === "blockStart") this.#node.alternative ??= decision.names[chosen];
    return decision.transitions[chosen]?.target;
  }

  #loopBack(at: State): State | Mismatch | undefined {
    const mismatch = this.#sync(at);
    if (mismatch !== undefined) return mismatch;
    const entry = at.kind === "starLoopBack" ? at.transitions[0]?.target : at;
    return entry && this.#choose(entry);
  }

  /** Begins a round of a loop. In a left-recursive rule, what has been parsed becomes the left part of a new node. */
  #startOfLoop(at: State): State | Mismatch | undefined {
    const hasChoice = at.transitions.length > 1;
    const mismatch = hasChoice ? this.#sync(at) : undefined;
    if (mismatch !== undefined) return mismatch;
    const left = this.#node;
    const isContinuation = at.names.length > 0;
    if (!isContinuation) return at.transitions[0]?.target;
    const next = hasChoice ? this.#choose(at) : at.transitions[0]?.target;
    if (next === undefined || "message" in next) return next;
    const { rule, parent, calledFrom, start } = left;
    const alternative = at.names[at.transitions.findIndex(({ target }) => target === next)];
    const nodes = new Map([["left", [left]]]);
    this.#node = { rule, parent, calledFrom, start, alternative, tokens: new Map(), nodes };
    return next;
  }

  #match(at: State, { kinds, target, label }: Extract<Transition, { type: "token" }>): State | Mismatch {
    this.#state = at;
    let token: ConcreteToken | undefined;
    if (kinds.has(this.#stream.kind())) {
      token = this.#stream.token();
      this.#endErrorCondition();
      this.#stream.advance();
    } else {
      this.#countRecovery();
      if (this.#deleteToken()) {
        token = this.#stream.token();
        this.#stream.advance();
      } else if (this.#canInsertBefore(target)) {
        token = this.#missingToken();
      } else return this.#mismatch();
    }
    addLabelled(this.#node.tokens, label, token);
    return target;
  }

  #enter(rule: NetworkRule, calledFrom: State | undefined, precedence: number): void {
    const open = (this.#openRules[rule.index] ?? 0) + 1;
    this.#openRules[rule.index] = open;
    if (open > maxDepth) throw new GivingUp(`expression recursion limit exceeded: ${maxDepth}`);
    if (rule.isRecursive) this.#precedences.push(precedence);
    this.#node = {
      rule,
      parent: calledFrom && this.#node,
      calledFrom,
      start: this.#stream.token().start,
      alternative: undefined,
      tokens: new Map(),
      nodes: new Map(),
    };
  }

  /** Leaves the open rule and returns the state behind the call of it. */
  #leave(): State | undefined {
    const { rule, parent, calledFrom } = this.#node;
    this.#openRules[rule.index] = (this.#openRules[rule.index] ?? 1) - 1;
    if (rule.isRecursive) this.#precedences.pop();
    const call = calledFrom?.transitions[0];
    if (parent === undefined || calledFrom === undefined || call?.type !== "rule") return undefined;
    addLabelled(parent.nodes, call.label, this.#node);
    this.#node = parent;
    this.#state = calledFrom;
    return call.target;
  }

  /** Tells an error, leaves out what cannot follow the open rules, and leaves the rule. */
  #endRule(mismatch: Mismatch): State | undefined {
    this.#report(mismatch.message, mismatch.offset);
    this.#countRecovery();
    let skipped = 0;
    const skip = (): void => {
      if (skipped++ >= maxSkipped) {
        throw new GivingUp(`error recovery token lookahead limit exceeded: ${maxSkipped}`);
      }
      this.#stream.advance();
    };
    if (this.#lastErrorIndex === this.#stream.index && this.#lastErrorStates.has(this.#state)) skip();
    this.#lastErrorIndex = this.#stream.index;
    this.#lastErrorStates.add(this.#state);
    this.#skipUntil(this.#recoverySet(), skip);
    return this.#leave();
  }

  /** Makes sure that a token can follow at a decision: leaves out others, or ends the rule. */
  #sync(at: State): Mismatch | undefined {
    this.#state = at;
    if (this.#isRecovering) return undefined;
    const next = nextTokens(at);
    if (next.has(atEndOfRule) || next.has(this.#stream.kind())) return undefined;
    if (at.kind !== "plusLoopBack" && at.kind !== "starLoopBack") {
      return this.#deleteToken() ? undefined : this.#mismatch();
    }
    this.#reportUnwanted();
    this.#skipUntil(new Set([...this.#expected(), ...this.#recoverySet()]), () => this.#stream.advance());
    return undefined;
  }

  /** Leaves out the next token if the one behind it is right. */
  #deleteToken(): boolean {
    if (!this.#expected().has(this.#stream.kind(1))) return false;
    this.#reportUnwanted();
    this.#stream.advance();
    this.#endErrorCondition();
    return true;
  }

  /** Tells the next token to be missing if it could follow the missing one. */
  #canInsertBefore(target: State): boolean {
    if (!this.#follows(target).has(this.#stream.kind())) return false;
    const { start, text } = this.#stream.token();
    this.#report(`missing ${describeTokens(this.#expected())} at ${quoted(text)}`, start);
    return true;
  }

  #missingToken(): ConcreteToken {
    const kind = Math.min(...this.#expected()) as TokenKind;
    const next = this.#stream.token();
    const { start } = next.kind === Token.end ? (this.#stream.previous() ?? next) : next;
    return { kind, start, text: kind === Token.end ? "<missing EOF>" : describeMissing(kind) };
  }

  #reportUnwanted(): void {
    const { start, text } = this.#stream.token();
    this.#report(`extraneous input ${quoted(text)} expecting ${describeTokens(this.#expected())}`, start);
  }

  #mismatch(): Mismatch {
    const { start, text } = this.#stream.token();
    return { message: `mismatched input ${quoted(text)} expecting ${describeTokens(this.#expected())}`, offset: start };
  }

  #noViableAlternative(distance: number): Mismatch {
    const isAtEnd = this.#stream.kind() === Token.end;
    const input = isAtEnd ? "<EOF>" : this.#stream.textTo(distance);
    const message = `no viable alternative at input ${quoted(input)}`;
    return { message: withReservedWord(message), offset: this.#stream.token(distance).start };
  }

  /** Returns the tokens that may come next. */
  #expected(): TokenSet {
    return this.#follows(this.#state);
  }

  /** Returns the tokens that may come next at a state, in the open rules. */
  #follows(state: State): TokenSet {
    const own = nextTokens(state);
    if (!own.has(atEndOfRule)) return own;
    const all = new Set(own);
    let last = own;
    for (
      let node: ConcreteNode | undefined = this.#node;
      node?.calledFrom && last.has(atEndOfRule);
      node = node.parent
    ) {
      last = nextTokens(behind(node.calledFrom));
      for (const kind of last) all.add(kind);
    }
    all.delete(atEndOfRule);
    if (last.has(atEndOfRule)) all.add(Token.end);
    return all;
  }

  /** Returns the tokens that may follow any of the open rules. */
  #recoverySet(): TokenSet {
    const all = new Set<TokenKind | typeof atEndOfRule>();
    for (let node: ConcreteNode | undefined = this.#node; node?.calledFrom; node = node.parent) {
      for (const kind of nextTokens(behind(node.calledFrom))) all.add(kind);
    }
    all.delete(atEndOfRule);
    return all;
  }

  #skipUntil(wanted: TokenSet, skip: () => void): void {
    for (let kind = this.#stream.kind(); kind !== Token.end && !wanted.has(kind); kind = this.#stream.kind()) skip();
  }

  #callStacks(table: CallStackTable): CallStacks {
    const callers: State[] = [];
    for (let node: ConcreteNode | undefined = this.#node; node?.calledFrom; node = node.parent) {
      callers.push(behind(node.calledFrom));
    }
    return callers.reduceRight((below, state) => table.push(state.id, below), table.empty);
  }

  /** Tells an error unless the parser is going on behind another one still. */
  #report(message: string, offset: number): void {
    if (this.#isRecovering) return;
    this.#isRecovering = true;
    this.#tell(message, offset);
  }

  #tell(message: string, offset: number): void {
    if (this.#syntaxErrors >= maxSyntaxErrors) {
      this.problems.push({ message: `Syntax error: More than ${maxSyntaxErrors} syntax errors`, offset });
      throw new GivingUp();
    }
    this.#syntaxErrors++;
    this.problems.push({ message: formatWithoutArguments(`Syntax error: ${message}`), offset });
  }

  #endErrorCondition(): void {
    this.#isRecovering = false;
    this.#lastErrorIndex = -1;
    this.#lastErrorStates.clear();
  }

  #countRecovery(): void {
    if (this.#recoveries === maxRecoveries) {
      this.#tell(`error recovery attempt limit exceeded: ${maxRecoveries}`, this.#stream.token().start);
      throw new GivingUp();
    }
    this.#recoveries++;
  }
}

/** Returns the state behind a call of a rule. */
function behind(caller: State): State {
  return caller.transitions[0]?.target ?? caller;
}

function quoted(text: string): string {
  return `'${escapeSpace(text)}'`;
}

function escapeSpace(text: string): string {
  return text.replaceAll("\t", "\\t").replaceAll("\n", "\\n").replaceAll("\r", "\\r");
}

/** Returns the message about a word of the language in the place of a field, which v1.29 writes in another way. */
function withReservedWord(message: string): string {
  return message.replaceAll(
    /no viable alternative at input '.(true|false|null)'/g,
    "mismatched input '$1' expecting IDENTIFIER",
  );
}
