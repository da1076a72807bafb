import { Token, type TokenKind, type Tokens, type UnrecognizedText } from "../tokens.js";
import type { ConcreteToken } from "./concrete-tree.js";

/** The tokens of a source, read one after the other. */
export class TokenStream {
  readonly #source: string;
  readonly #tokens: Tokens;
  readonly #reportUnrecognized: (part: UnrecognizedText) => void;
  /** The index of the next token. */
  index = 0;
  #read = -1;
  #reported = 0;

  /** `reportUnrecognized` is called with text that is no token when the token behind it is looked at first. */
  constructor(source: string, tokens: Tokens, reportUnrecognized: (part: UnrecognizedText) => void) {
    this.#source = source;
    this.#tokens = tokens;
    this.#reportUnrecognized = reportUnrecognized;
  }

  /** Returns the kind of the token that many tokens ahead; 0 is the next one. */
  kind(distance = 0): TokenKind {
    const index = Math.min(this.index + distance, this.#tokens.kinds.length - 1);
    if (index > this.#read) this.#reportUpTo(index);
    return this.#tokens.kinds[index] ?? Token.end;
  }

  token(distance = 0): ConcreteToken {
    return this.#tokenAt(Math.min(this.index + distance, this.#tokens.kinds.length - 1));
  }

  /** Returns the last token before the next one. */
  previous(): ConcreteToken | undefined {
    return this.index > 0 ? this.#tokenAt(this.index - 1) : undefined;
  }

  /** Goes on to the next token, unless the source has ended. */
  advance(): void {
    if (this.kind() !== Token.end) this.index++;
  }

  /** Returns the text from the next token to a later one, without what is no token. */
  textTo(distance: number): string {
    const last = Math.min(this.index + distance, this.#tokens.kinds.length - 1);
    let text = "";
    let from = this.#tokens.starts[this.index] ?? 0;
    for (const part of this.#tokens.unrecognized) {
      if (part.before <= this.index || part.before > last) continue;
      text += this.#source.slice(from, part.start);
      from = part.end;
    }
    return text + this.#source.slice(from, this.#tokens.ends[last]);
  }

  #tokenAt(index: number): ConcreteToken {
    const kind = this.#tokens.kinds[index] ?? Token.end;
    const start = this.#tokens.starts[index] ?? 0;
    return { kind, start, text: kind === Token.end ? "<EOF>" : this.#source.slice(start, this.#tokens.ends[index]) };
  }

  #reportUpTo(index: number): void {
    this.#read = index;
    const { unrecognized } = this.#tokens;
    for (let part = unrecognized[this.#reported]; part && part.before <= index; part = unrecognized[this.#reported]) {
      this.#reported++;
      this.#reportUnrecognized(part);
    }
  }
}
