/** The kinds of tokens, in the order in which messages list those that were expected. */
export const Token = {
  end: 0,
  equals: 1,
  notEquals: 2,
  in: 3,
  less: 4,
  lessEquals: 5,
  greaterEquals: 6,
  greater: 7,
  and: 8,
  or: 9,
  leftBracket: 10,
  rightBracket: 11,
  leftBrace: 12,
  rightBrace: 13,
  leftParenthesis: 14,
  rightParenthesis: 15,
  dot: 16,
  comma: 17,
  minus: 18,
  not: 19,
  question: 20,
  colon: 21,
  plus: 22,
  times: 23,
  divide: 24,
  modulo: 25,
  true: 26,
  false: 27,
  null: 28,
  double: 29,
  int: 30,
  uint: 31,
  string: 32,
  bytes: 33,
  identifier: 34,
} as const;

export type TokenKind = (typeof Token)[keyof typeof Token];

/** The tokens of a source, in parallel lists. The last one has the kind `end`. Offsets are in UTF-16 units. */
export interface Tokens {
  readonly kinds: readonly TokenKind[];
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  /** Parts of the source that are no token, in order. `before`: index of the token that follows. */
  readonly unrecognized: readonly UnrecognizedText[];
}

/** A part of the source that is no token. */
export interface UnrecognizedText {
  readonly start: number;
  readonly end: number;
  readonly before: number;
}
