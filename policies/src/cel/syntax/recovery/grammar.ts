import { Token, type TokenKind } from "../tokens.js";

/** A part of a rule of the grammar. Labels name the tokens and nodes that are kept in the concrete tree. */
export type GrammarPart =
  | { readonly type: "token"; readonly kinds: readonly TokenKind[]; readonly label?: string | undefined }
  | { readonly type: "rule"; readonly rule: string; readonly precedence: number; readonly label?: string | undefined }
  | { readonly type: "sequence"; readonly parts: readonly GrammarPart[] }
  | { readonly type: "choice"; readonly alternatives: readonly Alternative[] }
  | { readonly type: "optional" | "star" | "plus"; readonly part: GrammarPart; readonly isPredicted: boolean };

/** One of the forms of a rule. */
export interface Alternative {
  readonly name: string;
  readonly part: GrammarPart;
}

/** A form of a left-recursive rule behind the part to its left: an operator and the operand to its right, if it has one. */
export interface Continuation extends Alternative {
  readonly precedence: number;
}

/** A rule of the grammar. With continuations: a left-recursive one. */
export interface GrammarRule {
  readonly name: string;
  readonly part: GrammarPart;
  readonly continuations: readonly Continuation[];
}

/**
 * The grammar of the language. It decides which syntax errors are told and how parsing goes on behind them, so it has the
 * shape of v1.29's: the same rules, and the same decisions that look one token ahead, or further (`isPredicted`).
 */
export const grammar: readonly GrammarRule[] = [
  rule("start", sequence(call("expr", "e"), token(Token.end))),
  rule(
    "expr",
    sequence(
      call("conditionalOr", "e"),
      optional(
        sequence(token(Token.question, "op"), call("conditionalOr", "e1"), token(Token.colon), call("expr", "e2")),
      ),
    ),
  ),
  rule("conditionalOr", separated(call("conditionalAnd", "terms"), token(Token.or, "ops"))),
  rule("conditionalAnd", separated(call("relation", "terms"), token(Token.and, "ops"))),
  recursive("relation", call("calc", "operand"), [
    {
      name: "Relation",
      precedence: 1,
      part: sequence(
        {
          type: "token",
          kinds: [
            Token.less,
            Token.lessEquals,
            Token.greaterEquals,
            Token.greater,
            Token.equals,
            Token.notEquals,
            Token.in,
          ],
          label: "op",
        },
        call("relation", "right", 2),
      ),
    },
  ]),
  recursive("calc", call("unary", "operand"), [
    {
      name: "Product",
      precedence: 2,
      part: sequence(
        { type: "token", kinds: [Token.times, Token.divide, Token.modulo], label: "op" },
        call("calc", "right", 3),
      ),
    },
    {
      name: "Sum",
      precedence: 1,
      part: sequence({ type: "token", kinds: [Token.plus, Token.minus], label: "op" }, call("calc", "right", 2)),
    },
  ]),
  rule(
    "unary",
    choice({
      MemberExpr: call("member", "operand"),
      LogicalNot: sequence(plus(token(Token.not, "ops")), call("member", "operand")),
      Negate: sequence(plus(token(Token.minus, "ops"), true), call("member", "operand")),
    }),
  ),
  recursive("member", call("primary", "operand"), [
    {
      name: "Select",
      precedence: 3,
      part: sequence(token(Token.dot, "op"), optional(token(Token.question, "opt")), token(Token.identifier, "id")),
    },
    {
      name: "MemberCall",
      precedence: 2,
      part: sequence(
        token(Token.dot, "op"),
        token(Token.identifier, "id"),
        token(Token.leftParenthesis, "open"),
        optional(call("exprList", "args")),
        token(Token.rightParenthesis),
      ),
    },
    {
      name: "Index",
      precedence: 1,
      part: sequence(
        token(Token.leftBracket, "op"),
        optional(token(Token.question, "opt")),
        call("expr", "index"),
        token(Token.rightBracket),
      ),
    },
  ]),
  rule(
    "primary",
    choice({
      IdentOrGlobalCall: sequence(
        optional(token(Token.dot, "leadingDot")),
        token(Token.identifier, "id"),
        optional(
          sequence(
            token(Token.leftParenthesis, "op"),
            optional(call("exprList", "args")),
            token(Token.rightParenthesis),
          ),
          true,
        ),
      ),
      Nested: sequence(token(Token.leftParenthesis), call("expr", "e"), token(Token.rightParenthesis)),
      CreateList: sequence(
        token(Token.leftBracket, "op"),
        optional(call("listInit", "elems")),
        optional(token(Token.comma)),
        token(Token.rightBracket),
      ),
      CreateStruct: sequence(
        token(Token.leftBrace, "op"),
        optional(call("mapInitializerList", "entries")),
        optional(token(Token.comma)),
        token(Token.rightBrace),
      ),
      CreateMessage: sequence(
        optional(token(Token.dot, "leadingDot")),
        token(Token.identifier, "ids"),
        star(sequence(token(Token.dot), token(Token.identifier, "ids"))),
        token(Token.leftBrace, "op"),
        optional(call("fieldInitializerList", "entries")),
        optional(token(Token.comma)),
        token(Token.rightBrace),
      ),
      ConstantLiteral: call("literal", "literal"),
    }),
  ),
  rule("exprList", separated(call("expr", "e"), token(Token.comma))),
  rule("listInit", separated(call("optExpr", "elems"), token(Token.comma), true)),
  rule("fieldInitializerList", separated(entry("optField"), token(Token.comma), true)),
  rule("optField", sequence(optional(token(Token.question, "opt")), token(Token.identifier, "id"))),
  rule("mapInitializerList", separated(entry("optExpr"), token(Token.comma), true)),
  rule("optExpr", sequence(optional(token(Token.question, "opt")), call("expr", "e"))),
  rule(
    "literal",
    choice({
      Int: sequence(optional(token(Token.minus, "sign")), token(Token.int, "tok")),
      Uint: token(Token.uint, "tok"),
      Double: sequence(optional(token(Token.minus, "sign")), token(Token.double, "tok")),
      String: token(Token.string, "tok"),
      Bytes: token(Token.bytes, "tok"),
      BoolTrue: token(Token.true, "tok"),
      BoolFalse: token(Token.false, "tok"),
      Null: token(Token.null, "tok"),
    }),
  ),
];

function rule(name: string, part: GrammarPart): GrammarRule {
  return { name, part, continuations: [] };
}

function recursive(name: string, part: GrammarPart, continuations: readonly Continuation[]): GrammarRule {
  return { name, part, continuations };
}

function token(kind: TokenKind, label?: string): GrammarPart {
  return { type: "token", kinds: [kind], label };
}

function call(name: string, label: string, precedence = 0): GrammarPart {
  return { type: "rule", rule: name, label, precedence };
}

function sequence(...parts: readonly GrammarPart[]): GrammarPart {
  return { type: "sequence", parts };
}

function choice(alternatives: Readonly<Record<string, GrammarPart>>): GrammarPart {
  return { type: "choice", alternatives: Object.entries(alternatives).map(([name, part]) => ({ name, part })) };
}

function optional(part: GrammarPart, isPredicted = false): GrammarPart {
  return { type: "optional", part, isPredicted };
}

function star(part: GrammarPart, isPredicted = false): GrammarPart {
  return { type: "star", part, isPredicted };
}

function plus(part: GrammarPart, isPredicted = false): GrammarPart {
  return { type: "plus", part, isPredicted };
}

function separated(part: GrammarPart, separator: GrammarPart, isPredicted = false): GrammarPart {
  return sequence(part, star(sequence(separator, part), isPredicted));
}

function entry(key: string): GrammarPart {
  return sequence(call(key, "keys"), token(Token.colon, "cols"), call("expr", "values"));
}
