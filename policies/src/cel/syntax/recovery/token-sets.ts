import { Token, type TokenKind } from "../tokens.js";
import type { State } from "./network.js";

/** A member of a set of tokens that means: the end of the rule can be reached without a token. */
export const atEndOfRule = -1;

/** Kinds of tokens that may come next, and `atEndOfRule`. */
export type TokenSet = ReadonlySet<TokenKind | typeof atEndOfRule>;

const cache = new Map<State, TokenSet>();

/** Returns the tokens that may come next in the same rule. */
export function nextTokens(state: State): TokenSet {
  let known = cache.get(state);
  if (known === undefined) {
    known = findNextTokens(state);
    cache.set(state, known);
  }
  return known;
}

/** No rule of the grammar matches nothing, so a called rule never ends where it begins. */
function findNextTokens(from: State): TokenSet {
  const found = new Set<TokenKind | typeof atEndOfRule>();
  const visited = new Set<State>();
  const pending = [from];
  for (let state = pending.pop(); state !== undefined; state = pending.pop()) {
    if (visited.has(state)) continue;
    visited.add(state);
    if (state.kind === "ruleStop") {
      found.add(atEndOfRule);
      continue;
    }
    for (const transition of state.transitions) {
      if (transition.type === "token") for (const kind of transition.kinds) found.add(kind);
      else pending.push(transition.type === "rule" ? transition.rule.start : transition.target);
    }
  }
  return found;
}

const names: Readonly<Record<number, string>> = {
  [Token.end]: "<EOF>",
  [Token.equals]: "'=='",
  [Token.notEquals]: "'!='",
  [Token.in]: "'in'",
  [Token.less]: "'<'",
  [Token.lessEquals]: "'<='",
  [Token.greaterEquals]: "'>='",
  [Token.greater]: "'>'",
  [Token.and]: "'&&'",
  [Token.or]: "'||'",
  [Token.leftBracket]: "'['",
  [Token.rightBracket]: "']'",
  [Token.leftBrace]: "'{'",
  [Token.rightBrace]: "'}'",
  [Token.leftParenthesis]: "'('",
  [Token.rightParenthesis]: "')'",
  [Token.dot]: "'.'",
  [Token.comma]: "','",
  [Token.minus]: "'-'",
  [Token.not]: "'!'",
  [Token.question]: "'?'",
  [Token.colon]: "':'",
  [Token.plus]: "'+'",
  [Token.times]: "'*'",
  [Token.divide]: "'/'",
  [Token.modulo]: "'%'",
  [Token.true]: "'true'",
  [Token.false]: "'false'",
  [Token.null]: "'null'",
  [Token.double]: "NUM_FLOAT",
  [Token.int]: "NUM_INT",
  [Token.uint]: "NUM_UINT",
  [Token.string]: "STRING",
  [Token.bytes]: "BYTES",
  [Token.identifier]: "IDENTIFIER",
};

/** Returns the text of a set in messages: `')'`, or `{'[', IDENTIFIER}`. */
export function describeTokens(set: TokenSet): string {
  const texts = [...set].sort((a, b) => a - b).map((kind) => names[kind] ?? "<EPSILON>");
  return texts.length === 1 ? (texts[0] ?? "") : `{${texts.join(", ")}}`;
}

/** Returns the text of a token that is missing. */
export function describeMissing(kind: TokenKind): string {
  return kind <= Token.null ? `<missing ${names[kind]}>` : "<missing undefined>";
}
