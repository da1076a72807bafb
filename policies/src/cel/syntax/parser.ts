import { BalancedChain } from "./balanced-chain.js";
import type { Expression, MapEntry, ParsedExpression, StructField } from "./expression.js";
import { readLiteral } from "./literals.js";
import { findMacro } from "./macros.js";
import { NodeBuilder } from "./node-builder.js";
import { comparisons, Operator, products, sums } from "./operators.js";
import { reservedNames } from "./reserved-names.js";
import { Token, type TokenKind, type Tokens } from "./tokens.js";

/** The number of rules of one kind that may be open at once, and the depth of the tree, as in v1.29. */
export const maxDepth = 250;

/** Thrown where the source is not right. Another parser, which is slower, finds out what is wrong. */
class Rejection {}
const rejection = new Rejection();

/** Parses the tokens of an expression. Returns undefined if anything is wrong with them. */
export function parseTokens(source: string, tokens: Tokens): ParsedExpression | undefined {
  if (tokens.unrecognized.length > 0) return undefined;
  try {
    return new Parser(source, tokens).parse();
  } catch (error) {
    if (error instanceof Rejection) return undefined;
    throw error;
  }
}

/**
 * A parser by recursive descent, one method for each rule of the grammar. `#height` is the height of the tree that the
 * last method has returned, as v1.29 counts it: selections, indexes, member calls, conditionals and binary operators
 * except `&&` and `||`.
 */
class Parser {
  readonly #source: string;
  readonly #tokens: Tokens;
  readonly #nodes = new NodeBuilder();
  #at = 0;
  #kind: TokenKind;
  #height = 0;
  #openExpressions = 0;
  #openRelations = 0;
  #openSums = 0;

  constructor(source: string, tokens: Tokens) {
    this.#source = source;
    this.#tokens = tokens;
    this.#kind = tokens.kinds[0] ?? Token.end;
  }

  parse(): ParsedExpression {
    const root = this.#expression();
    if (this.#kind !== Token.end || this.#height > maxDepth) throw rejection;
    return this.#nodes.finish(this.#source, root);
  }

  #expression(): Expression {
    if (++this.#openExpressions > maxDepth) throw rejection;
    const start = this.#start();
    let result = this.#disjunction();
    if (this.#kind === Token.question) {
      let height = this.#height;
      const offset = this.#consume();
      const ifTrue = this.#disjunction();
      height = Math.max(height, this.#height);
      this.#expect(Token.colon);
      const ifFalse = this.#expression();
      this.#height = Math.max(height, this.#height) + 1;
      result = this.#ranged(this.#nodes.call(offset, Operator.conditional, [result, ifTrue, ifFalse]), start);
    }
    this.#openExpressions--;
    return result;
  }

  #disjunction(): Expression {
    const start = this.#start();
    const first = this.#conjunction();
    if (this.#kind !== Token.or) return first;
    const chain = new BalancedChain(first, start, this.#end());
    let height = this.#height;
    while (this.#kind === Token.or) {
      const offset = this.#consume();
      const termStart = this.#start();
      chain.add(offset, this.#conjunction(), termStart, this.#end());
      height = Math.max(height, this.#height);
    }
    this.#height = height;
    return chain.balance(this.#nodes, Operator.or);
  }

  #conjunction(): Expression {
    const start = this.#start();
    const first = this.#relation();
    if (this.#kind !== Token.and) return first;
    const chain = new BalancedChain(first, start, this.#end());
    let height = this.#height;
    while (this.#kind === Token.and) {
      const offset = this.#consume();
      const termStart = this.#start();
      chain.add(offset, this.#relation(), termStart, this.#end());
      height = Math.max(height, this.#height);
    }
    this.#height = height;
    return chain.balance(this.#nodes, Operator.and);
  }

  #relation(): Expression {
    if (++this.#openRelations > maxDepth) throw rejection;
    const start = this.#start();
    let result = this.#sum();
    for (let name = comparisons[this.#kind]; name; name = comparisons[this.#kind]) {
      const height = this.#height;
      const offset = this.#consume();
      if (++this.#openRelations > maxDepth) throw rejection;
      const right = this.#sum();
      this.#openRelations--;
      this.#height = Math.max(height, this.#height) + 1;
      result = this.#ranged(this.#nodes.call(offset, name, [result, right]), start);
    }
    this.#openRelations--;
    return result;
  }

  #sum(): Expression {
    if (++this.#openSums > maxDepth) throw rejection;
    const start = this.#start();
    let result = this.#product();
    for (let name = sums[this.#kind]; name; name = sums[this.#kind]) {
      const height = this.#height;
      const offset = this.#consume();
      if (++this.#openSums > maxDepth) throw rejection;
      const right = this.#product();
      this.#openSums--;
      this.#height = Math.max(height, this.#height) + 1;
      result = this.#ranged(this.#nodes.call(offset, name, [result, right]), start);
    }
    this.#openSums--;
    return result;
  }

  #product(): Expression {
    const start = this.#start();
    let result = this.#unary();
    for (let name = products[this.#kind]; name; name = products[this.#kind]) {
      const height = this.#height;
      const offset = this.#consume();
      if (++this.#openSums > maxDepth) throw rejection;
      const right = this.#unary();
      this.#openSums--;
      this.#height = Math.max(height, this.#height) + 1;
      result = this.#ranged(this.#nodes.call(offset, name, [result, right]), start);
    }
    return result;
  }

  #unary(): Expression {
    const operator = this.#kind;
    if (operator !== Token.not && operator !== Token.minus) return this.#member();
    if (operator === Token.minus && this.#isNegativeNumber()) return this.#member();
    const offset = this.#start();
    let count = 0;
    for (; this.#kind === operator; count++) this.#consume();
    const operand = this.#member();
    if (count % 2 === 0) return operand;
    const name = operator === Token.not ? Operator.not : Operator.negate;
    return this.#ranged(this.#nodes.call(offset, name, [operand]), offset);
  }

  /** Tells whether the next tokens are a minus sign and a number that can have one. */
  #isNegativeNumber(): boolean {
    const kind = this.#tokens.kinds[this.#at + 1];
    return this.#kind === Token.minus && (kind === Token.int || kind === Token.double);
  }

  #member(): Expression {
    const start = this.#start();
    let result = this.#primary();
    for (;;) {
      if (this.#kind === Token.dot) result = this.#selection(result, start);
      else if (this.#kind === Token.leftBracket) result = this.#index(result, start);
      else return result;
    }
  }

  #selection(operand: Expression, start: number): Expression {
    const offset = this.#consume();
    const isOptional = this.#accept(Token.question);
    const fieldStart = this.#start();
    const field = this.#text();
    this.#expect(Token.identifier);
    if (isOptional) {
      const literal = this.#ranged(this.#nodes.literal(fieldStart, field), fieldStart);
      this.#height++;
      return this.#ranged(this.#nodes.call(offset, Operator.optionalSelect, [operand, literal]), start);
    }
    if (this.#kind === Token.leftParenthesis) return this.#call(field, operand, start);
    this.#height++;
    return this.#ranged(this.#nodes.select(offset, operand, field, false), start);
  }

  #index(operand: Expression, start: number): Expression {
    const height = this.#height;
    const offset = this.#consume();
    const name = this.#accept(Token.question) ? Operator.optionalIndex : Operator.index;
    const index = this.#expression();
    this.#expect(Token.rightBracket);
    this.#height = Math.max(height, this.#height) + 1;
    return this.#ranged(this.#nodes.call(offset, name, [operand, index]), start);
  }

  /** Parses the arguments of a call, the `(` of which is next. */
  #call(name: string, target: Expression | undefined, start: number): Expression {
    let height = target === undefined ? 0 : this.#height;
    const offset = this.#consume();
    const args: Expression[] = [];
    if (this.#kind !== Token.rightParenthesis) {
      do {
        args.push(this.#expression());
        height = Math.max(height, this.#height);
      } while (this.#accept(Token.comma));
    }
    this.#expect(Token.rightParenthesis);
    this.#height = target === undefined ? height : height + 1;
    return this.#ranged(this.#callOrMacro(offset, name, target, args), start);
  }

  #callOrMacro(offset: number, name: string, target: Expression | undefined, args: readonly Expression[]): Expression {
    const macro = findMacro(name, target !== undefined, args.length);
    const [first] = args;
    if (macro === undefined || first === undefined) return this.#nodes.call(offset, name, args, target);
    if (first.kind !== macro.firstArgument.kind) throw rejection;
    const expanded = macro.expand(this.#nodes, offset, target ?? first, args);
    this.#nodes.macroCalls.set(expanded.id, { name, target, args });
    return expanded;
  }

  #primary(): Expression {
    this.#height = 0;
    switch (this.#kind) {
      case Token.identifier:
      case Token.dot:
        return this.#name();
      case Token.leftParenthesis: {
        this.#consume();
        const inner = this.#expression();
        this.#expect(Token.rightParenthesis);
        return inner;
      }
      case Token.leftBracket:
        return this.#list();
      case Token.leftBrace:
        return this.#map();
      default:
        return this.#literal();
    }
  }

  /** Parses a name, a call of a function, or a struct literal. */
  #name(): Expression {
    const start = this.#start();
    if (this.#isStruct()) return this.#struct();
    const dot = this.#accept(Token.dot) ? "." : "";
    const offset = this.#start();
    const text = this.#text();
    this.#expect(Token.identifier);
    if (reservedNames.has(text)) throw rejection;
    if (this.#kind === Token.leftParenthesis) return this.#call(dot + text, undefined, start);
    return this.#ranged(this.#nodes.identifier(offset, dot + text), start);
  }

  /** Tells whether the next tokens are a qualified name and `{`. */
  #isStruct(): boolean {
    const { kinds } = this.#tokens;
    let at = this.#kind === Token.dot ? this.#at + 1 : this.#at;
    while (kinds[at] === Token.identifier && kinds[at + 1] === Token.dot) at += 2;
    return kinds[at] === Token.identifier && kinds[at + 1] === Token.leftBrace;
  }

  #struct(): Expression {
    const start = this.#start();
    let typeName = "";
    while (this.#kind !== Token.leftBrace) {
      typeName += this.#text();
      this.#consume();
    }
    const offset = this.#consume();
    const fields: StructField[] = [];
    let height = 0;
    while (this.#startsField()) {
      const isOptional = this.#accept(Token.question);
      const field = this.#text();
      this.#expect(Token.identifier);
      const colon = this.#expect(Token.colon);
      const id = this.#nodes.nextId();
      fields.push({ id, offset: colon, field, value: this.#expression(), isOptional });
      height = Math.max(height, this.#height);
      if (!this.#hasNext(Token.rightBrace)) break;
    }
    if (fields.length === 0) this.#accept(Token.comma);
    this.#expect(Token.rightBrace);
    this.#height = height;
    return this.#ranged(this.#nodes.struct(offset, typeName, fields), start);
  }

  #startsField(): boolean {
    return this.#kind === Token.question || this.#kind === Token.identifier;
  }

  #map(): Expression {
    const start = this.#start();
    const offset = this.#consume();
    const entries: MapEntry[] = [];
    let height = 0;
    while (this.#kind !== Token.rightBrace && this.#kind !== Token.comma) {
      const isOptional = this.#accept(Token.question);
      const key = this.#expression();
      height = Math.max(height, this.#height);
      const colon = this.#expect(Token.colon);
      const id = this.#nodes.nextId();
      entries.push({ id, offset: colon, key, value: this.#expression(), isOptional });
      height = Math.max(height, this.#height);
      if (!this.#hasNext(Token.rightBrace)) break;
    }
    if (entries.length === 0) this.#accept(Token.comma);
    this.#expect(Token.rightBrace);
    this.#height = height;
    return this.#ranged(this.#nodes.map(offset, entries), start);
  }

  #list(): Expression {
    const start = this.#start();
    const offset = this.#consume();
    const elements: Expression[] = [];
    const optionalIndexes: number[] = [];
    let height = 0;
    while (this.#kind !== Token.rightBracket && this.#kind !== Token.comma) {
      if (this.#accept(Token.question)) optionalIndexes.push(elements.length);
      elements.push(this.#expression());
      height = Math.max(height, this.#height);
      if (!this.#hasNext(Token.rightBracket)) break;
    }
    if (elements.length === 0) this.#accept(Token.comma);
    this.#expect(Token.rightBracket);
    this.#height = height;
    return this.#ranged(this.#nodes.list(offset, elements, optionalIndexes), start);
  }

  /** Consumes a comma, if there is one, and tells whether an element follows it. */
  #hasNext(closing: TokenKind): boolean {
    return this.#accept(Token.comma) && this.#kind !== closing;
  }

  #literal(): Expression {
    const start = this.#start();
    const isNegative = this.#isNegativeNumber();
    if (isNegative) this.#consume();
    const text = this.#text();
    const literal = readLiteral(this.#kind, isNegative ? `-${text}` : text);
    if (literal?.value === undefined) throw rejection;
    this.#consume();
    return this.#ranged(this.#nodes.literal(start, literal.value), start);
  }

  /** Remembers that the text of a node begins at `start` and ends with the last token that was consumed. */
  #ranged<Node extends Expression>(node: Node, start: number): Node {
    this.#nodes.setRange(node.id, start, this.#end());
    return node;
  }

  #start(): number {
    return this.#tokens.starts[this.#at] ?? 0;
  }

  /** Returns the end of the last token that was consumed. */
  #end(): number {
    return this.#tokens.ends[this.#at - 1] ?? 0;
  }

  #text(): string {
    return this.#source.slice(this.#start(), this.#tokens.ends[this.#at]);
  }

  /** Consumes a token and returns its offset. */
  #consume(): number {
    const start = this.#start();
    this.#kind = this.#tokens.kinds[++this.#at] ?? Token.end;
    return start;
  }

  #accept(kind: TokenKind): boolean {
    if (this.#kind !== kind) return false;
    this.#consume();
    return true;
  }

  #expect(kind: TokenKind): number {
    if (this.#kind !== kind) throw rejection;
    return this.#consume();
  }
}
